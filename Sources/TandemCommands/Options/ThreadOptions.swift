import ArgumentParser
import Commands
import Control
import Conversations
import Kernel
import Synchronization
import Threads

/// What every command takes that asks for conversations: a phone about one of its computers, or a computer about itself.
struct ThreadOptions: ParsableArguments {
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

    /// The running role that knows threads: a phone first, where both run.
    func peer() async throws -> ThreadPeer {
        let role = try await side.role(among: [.phone, .desktop], global)
        guard role == .phone || target.computer == nil else {
            throw ValidationError("A computer shows its own conversations: --computer is for --role phone.")
        }
        return ThreadPeer(global.client(for: role), computer: target.computer, timeout: timeout)
    }

    /// Asks and prints the answer: with `--json` as it came, else in lines for a person.
    func show<Answer>(
        _ ask: (ThreadPeer) async throws -> Answer,
        _ lines: (Answer) throws -> String
    ) async throws {
        let peer = try await peer()
        let answer = try await ask(peer)
        guard !global.json else { return try Output.json(peer.lastAnswer ?? .null) }
        try Output.result(try lines(answer))
    }
}

/// Which conversation is meant.
struct ThreadName: ParsableArguments {
    @Argument(help: ArgumentHelp("The conversation's id, or its beginning.", valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("Its agent, where two have one of that id.", valueName: "name"))
    var agent: AgentChoice?

    /// The thread whose id is this, or begins with it.
    func thread(_ client: ThreadsClient) async throws -> ThreadSummary {
        let wanted = id.hasSuffix("…") ? String(id.dropLast()) : id
        do {
            let choice = ThreadChoice(id: wanted, agent: agent?.agent)
            let page = try await client.page(ThreadPageQuery(choice, limit: 1))
            if let thread = page.thread { return thread }
        } catch ControlError.refused where (4..<36).contains(wanted.count) {
            // Not a whole id: the newest that begins so.
        }
        var found: [ThreadSummary] = []
        for isArchived in [false, true] where found.isEmpty {
            let query = ThreadListQuery(limit: 200, agent: agent?.agent, isArchived: isArchived, includesAll: true)
            found = try await client.list(query).items.filter { $0.reference.id.hasPrefix(wanted) }
        }
        switch found.count {
        case 1: return found[0]
        case 0: throw CommandError.empty("There is no conversation \(wanted). See: tandem threads list")
        default:
            throw CommandError.empty("\(found.count) conversations begin with \(wanted). Give more of the id.")
        }
    }
}

/// An agent as a person types it.
struct AgentChoice: ExpressibleByArgument, Hashable {
    let agent: Agent

    init?(argument: String) {
        let word = argument.lowercased()
        switch word {
        case "codex": agent = .codex
        case "claude", "claude_code", "claude-code": agent = .claudeCode
        default:
            guard word.hasPrefix("acp:"), word.count > 4 else { return nil }
            agent = Agent(rawValue: argument)
        }
    }

    var defaultValueDescription: String { agent.rawValue }
    static var allValueStrings: [String] { ["codex", "claude"] }
}

/// A computer's conversations as their client uses them, asked through the role that runs on this machine.
final class ThreadPeer: Peer {
    /// As the person named it; empty for the only one.
    let id: String
    /// Not known here: the role knows it.
    let isSealed = false
    let control: ControlClient
    let computer: String?
    private let timeout: Int?
    private let answer = Mutex<JSONValue?>(nil)

    init(_ control: ControlClient, computer: String?, timeout: Int?) {
        self.control = control
        self.computer = computer
        self.timeout = timeout
        id = computer ?? ""
    }

    /// The answer that came last, as it came.
    var lastAnswer: JSONValue? { answer.withLock { $0 } }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        let call = ThreadsControl.Call(method, params, device: computer, timeout: self.timeout)
        let value = try await control.call(ThreadsControl.call, call)
        answer.withLock { $0 = value }
        return value
    }

    /// Threads are followed by ``ThreadsControl/follow``.
    func events() async throws -> AsyncStream<RemoteEvent> { AsyncStream { $0.finish() } }
    func reachability() async throws -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}
