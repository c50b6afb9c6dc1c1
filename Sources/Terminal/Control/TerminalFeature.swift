public import Capabilities
public import CommandClient
public import Commands
public import Control
import Kernel
import Rights
public import Transport

/// Terminals of computers, on a phone.
public struct TerminalFeature: PeerFeature {
    /// The maker that a composition lists to have this feature: the right `terminal`.
    public static let maker = PeerFeatureMaker("terminal", rights: [.terminal]) { TerminalFeature($0.computers) }

    /// Messages still told to a computer after the command that asked has gone; each ends by its call's time limit.
    private let errands = OwnedTasks()
    private let computers: any PairedComputers

    package init(_ computers: any PairedComputers) { self.computers = computers }

    /// All methods of terminals. Source: `docs/protocol.md`, "Terminal".
    public var methods: [MethodDeclaration] { TerminalMethods.all }

    /// The page's `/api/terminal`. Source: `docs/page.md`, "The local API".
    public func pageRoutes() throws -> RouteSet {
        RouteSet(webSockets: [try TerminalSocket.route(computers)])
    }

    /// Output and sizes, which the terminal's own socket carries.
    public var streamedEvents: Set<String> { [EventKind.terminalOutput.name, EventKind.terminalSize.name] }

    /// The sentence for a documented word such as `session_not_found`; nil for any other refusal.
    public func explain(_ failure: RemoteFailure) -> String? { TerminalError(failure)?.description }

    /// `terminal.open` of the control socket: shows one terminal until its shell has ended or the command leaves it.
    public var controlRoutes: [ControlRoute] {
        [
            ControlRoute(TerminalControl.open) { [errands, computers] parameters, input, report in
                try await Self.open(parameters, computers, input, errands, report)
            }
        ]
    }

    /// Ends what is still told to computers for commands that have gone.
    public func close() async { await errands.end() }

    private typealias Report = @Sendable (TerminalControl.Item) async throws -> Void

    private static func open(
        _ parameters: TerminalControl.Open,
        _ computers: any PairedComputers,
        _ input: ControlInput,
        _ errands: OwnedTasks,
        _ report: @escaping Report
    ) async throws -> TerminalControl.Outcome {
        let terminals = TerminalsClient(try await computers.peer(named: parameters.device))
        let size = try parameters.size()
        let client: TerminalClient
        if let running = parameters.sessionID {
            // A running terminal waits for its computer; for a new one the caller is told when the computer is away.
            _ = try await terminals.list()
            client = terminals.attach(to: running)
            client.resize(to: size)
        } else {
            client = try await terminals.open(
                TerminalRequest(shell: parameters.shell, folder: parameters.folder, size: size)
            )
        }
        do {
            return try await converse(client, input, report)
        } catch {
            // Not in this task, which is cancelled when the command has gone.
            let ends = parameters.endsWithCaller == true
            errands.add { ends ? try? await client.close() : try? await client.leave() }
            throw error
        }
    }

    private static func converse(
        _ client: TerminalClient,
        _ input: ControlInput,
        _ report: @escaping Report
    ) async throws -> TerminalControl.Outcome {
        try await withThrowingTaskGroup(of: TerminalControl.Outcome?.self) { group in
            group.addTask { try await show(client, report) }
            group.addTask { try await type(input, into: client) }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw TerminalError.sessionNotFound
        }
    }

    /// - Returns: How the shell ended.
    private static func show(_ client: TerminalClient, _ report: @escaping Report) async throws
        -> TerminalControl.Outcome?
    {
        let end = LatestValue<TerminalControl.Outcome?>(nil)
        try await client.run { output in
            switch output {
            case .text(let text), .state(let text): try await report(.text(text))
            // A command's window keeps the size that its person gave it.
            case .resized: break
            case .truncated: try await report(.notice("Some of the output is gone: nobody could take it."))
            case .exited(let code, let signal):
                end.set(.exited(sessionID: client.sessionID, code: code, signal: signal))
            }
        }
        return end.value
    }

    /// - Returns: Nil when the input is over and the terminal goes on being shown.
    private static func type(_ input: ControlInput, into client: TerminalClient) async throws
        -> TerminalControl.Outcome?
    {
        for await item in input {
            switch try TerminalControl.Input(item: item) {
            case .text(let text)?: try await client.typeAll(Array(text.utf8))
            case .resize(let size)?: client.resize(to: size)
            case .detach?:
                try await client.detach()
                return .detached(sessionID: client.sessionID)
            case nil: continue
            }
        }
        return nil
    }
}
