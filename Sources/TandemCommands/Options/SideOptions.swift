import ArgumentParser
import CommandClient
import Commands
import Control
import Kernel
import Synchronization

/// The options of every command that either side answers: a phone about one of its computers, or a computer about itself.
struct SideOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @OptionGroup var side: RoleOptions

    @OptionGroup var target: ComputerOptions

    @Option(help: ArgumentHelp("Seconds to wait for the answer, 1 to 3600.", valueName: "seconds"))
    var timeout: Int?

    func validate() throws {
        if let timeout, !(1...3600).contains(timeout) {
            throw ValidationError("--timeout is in seconds, 1 to 3600, not \(timeout).")
        }
    }

    /// The running role: a phone first, where both run.
    ///
    /// - Parameters:
    ///   - calls: What carries the feature's methods.
    ///   - own: Why a computer is not asked about another one, as the beginning of a sentence.
    func peer(_ calls: ControlMethod<MethodCall, JSONValue>, own: String) async throws -> SidePeer {
        let role = try await side.role(among: [.phone, .desktop], global)
        guard role == .phone || target.computer == nil else {
            throw ValidationError("\(own): --computer is for --role phone.")
        }
        return SidePeer(global.client(for: role), role: role, computer: target.computer, timeout: timeout, calls: calls)
    }

    /// Prints an answer: with `--json` as it came, else in lines for a person.
    ///
    /// - Parameter refusal: Why nothing was done, for an answer that says so: the command fails in both forms.
    func show<Answer>(
        _ peer: SidePeer,
        _ ask: (SidePeer) async throws -> Answer,
        refusal: (Answer) -> String? = { _ in nil },
        _ lines: (Answer) throws -> String
    ) async throws {
        let answer = try await ask(peer)
        let reason = refusal(answer)
        if global.json {
            try Output.json(peer.lastAnswer ?? .null)
        } else if reason == nil {
            try Output.result(try lines(answer))
        }
        if let reason { throw CommandError.empty(TerminalText.line(reason)) }
    }
}

/// A computer as a feature's client uses it, asked through the role that runs on this machine.
final class SidePeer: Peer {
    /// The name or id that the person gave; empty for the only computer.
    let id: String
    /// Not known here: the role knows it.
    let isSealed = false
    let control: ControlClient
    let role: Role
    let computer: String?
    private let timeout: Int?
    private let calls: ControlMethod<MethodCall, JSONValue>
    private let answer = Mutex<JSONValue?>(nil)

    init(
        _ control: ControlClient,
        role: Role,
        computer: String?,
        timeout: Int?,
        calls: ControlMethod<MethodCall, JSONValue>
    ) {
        self.control = control
        self.role = role
        self.computer = computer
        self.timeout = timeout
        self.calls = calls
        id = computer ?? ""
    }

    /// The answer that came last, as it came.
    var lastAnswer: JSONValue? { answer.withLock { $0 } }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        let value = try await control.call(
            calls,
            MethodCall(method, params, device: computer, timeout: self.timeout),
            within: self.timeout.map { Duration.seconds($0) } ?? timeout
        )
        answer.withLock { $0 = value }
        return value
    }

    /// Events come through the feature's own control stream.
    func events() async throws -> AsyncStream<RemoteEvent> { AsyncStream { $0.finish() } }
    func reachability() async throws -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}
