import Agents
import CLinux
import Conversations
import Foundation
import Glibc
import Kernel
import LinuxAgents
import Logging
import Testing

/// Agents of one test: real child processes that play exchanges, and a state folder.
final class AgentScript {
    struct Ended: Error {}

    /// How long a test waits for what must come.
    static let limit = Duration.seconds(30)

    let folder: String
    let sessions: AgentSessions
    private let exchange: URL

    /// The opening of every connection to Codex.
    static let codex = [
        "> initialize",
        #"< {"id":"@initialize","result":{"userAgent":"codex/0.150","codexHome":"/home/p/.codex"}}"#,
        "> initialized",
    ]
    static let claude = [
        "> initialize",
        #"< {"type":"control_response","response":{"subtype":"success","request_id":"@initialize","response":{}}}"#,
    ]
    static let acp = [
        "> initialize",
        #"< {"jsonrpc":"2.0","id":"@initialize","result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true},"agentInfo":{"name":"goose","version":"1.2"}}}"#,
    ]

    /// - Parameter lines: The exchange, one for every start of the program.
    init(
        _ agent: Agent,
        _ lines: [String],
        time: any TimeSource = .system,
        environment: [String: String] = ["PATH": "/usr/local/bin:/usr/bin:/bin", "TANDEM_SECRET": "x", "HOME": "/tmp"],
        mask: UInt32? = nil
    ) throws {
        let made = FileManager.default.temporaryDirectory.appending(path: "tandem-agents-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        folder = made.resolvingSymlinksInPath().path
        exchange = URL(filePath: folder + "/exchange")
        try Data(lines.joined(separator: "\n").utf8).write(to: exchange)
        let script = try #require(
            Bundle.module.url(forResource: "agent", withExtension: "py", subdirectory: "Fixtures")
        )
        let kind: AgentProgram.Kind = agent == .codex ? .codex : agent == .claudeCode ? .claudeCode : .acp
        let program = AgentProgram(
            agent: agent,
            name: kind == .acp ? String(agent.rawValue.dropFirst(4)) : agent == .codex ? "Codex" : "Claude Code",
            command: ["/usr/bin/env", "python3", script.path, exchange.path],
            environment: ["RECEIVED": folder + "/received", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
            kind: kind
        )
        sessions = AgentSessions(
            programs: [program],
            state: URL(filePath: folder + "/state"),
            time: time,
            logger: Logger(label: "test"),
            launcher: LinuxAgentLauncher(environment: environment, mask: mask, asksShell: false),
            version: "1.0"
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The exchange of the next start.
    func play(_ lines: [String]) throws { try Data(lines.joined(separator: "\n").utf8).write(to: exchange) }

    /// What the program read and noted, in order.
    func received() throws -> [JSONValue] {
        let text = try String(contentsOfFile: folder + "/received", encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
    }

    func received(_ method: String) throws -> [JSONValue] {
        try received().filter { $0["method"]?.stringValue == method || $0["type"]?.stringValue == method }
    }

    func process() throws -> Int64 { try #require(try received().compactMap { $0["pid"]?.integerValue }.last) }

    /// What was noted when the program started.
    func start() throws -> JSONValue { try #require(try received().first { $0["pid"] != nil }) }
}

/// The events of one test, read in order.
final class Events {
    private let stream: AsyncStream<AgentEvent>

    init(_ sessions: AgentSessions) { stream = sessions.events() }

    /// The first event from here on that fits.
    func first<Value: Sendable>(_ pick: @escaping @Sendable (AgentEvent) -> Value?) async throws -> Value {
        try await withTimeout(AgentScript.limit, on: .system, throwing: AgentScript.Ended()) { [stream] in
            for await event in stream {
                if let value = pick(event) { return value }
            }
            throw AgentScript.Ended()
        }
    }

    func approval() async throws -> Approval {
        try await first { if case .opened(let approval) = $0 { approval } else { nil } }
    }

    func state(_ wanted: AgentState) async throws {
        _ = try await first { if case .state(_, wanted, _) = $0 { true } else { nil } }
    }

    func finished() async throws -> (AgentState, String?) {
        try await first { if case .finished(_, let state, let summary) = $0 { (state, summary) } else { nil } }
    }

    func closed() async throws -> (Approval.ID, String?, String?) {
        try await first { if case .closed(let id, _, let option, let by) = $0 { (id, option, by) } else { nil } }
    }
}

extension Approval {
    /// The first option of a kind.
    func option(_ kind: Option.Kind) throws -> String { try #require(options.first { $0.kind == kind }).id }
}

/// Whether a process is there, as a zombie too.
func isThere(_ process: Int64) -> Bool { FileManager.default.fileExists(atPath: "/proc/\(process)") }

/// Waits until a process that is not ours has ended, 10 s at most.
func hasEnded(_ process: Int64) -> Bool {
    let descriptor = tandem_process_open(pid_t(process))
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 10_000) == 1
}
