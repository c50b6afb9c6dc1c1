import Conversations
import Foundation
import Kernel
import KernelTesting
import Logging
import Synchronization
import Testing

@testable import Agents

/// An agent in memory that answers what it must, and around it writes variations of real lines.
private final class HostileProcess: AgentProcess {
    private struct State {
        var fuzz: FuzzedJSON
        /// Writes that it still answers with more than it must: what it asks is answered, too, and neither side would ever end.
        var bursts = 100
        var output: [UInt8] = []
        var reader: CheckedContinuation<Void, Never>?
        var isOver = false
        var waiting: [CheckedContinuation<AgentExit, Never>] = []
    }

    private let samples: [JSONValue]
    private let answer: @Sendable (JSONValue) -> JSONValue?
    private let state: Mutex<State>

    init(seed: UInt64, samples: [JSONValue], answer: @escaping @Sendable (JSONValue) -> JSONValue?) {
        self.samples = samples
        self.answer = answer
        let names = ["id", "method", "params", "threadId", "type", "request", "update", "sessionId", "options", "turn"]
        state = Mutex(State(fuzz: FuzzedJSON(seed: seed, names: names, texts: ["t", "s", "turn/completed", "result"])))
    }

    var lastWords: String { "\u{1b}]0;title\u{7}" }

    func read(upTo limit: Int) async -> [UInt8]? {
        while true {
            let (bytes, isOver) = state.withLock { state in
                defer { state.output = [] }
                return (state.output, state.isOver)
            }
            if !bytes.isEmpty { return bytes }
            if isOver { return nil }
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.output.isEmpty, !state.isOver else { return false }
                    state.reader = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }

    func write(_ bytes: [UInt8]) -> Bool {
        let message = try? JSONValue(parsing: bytes.dropLast())
        let reader = state.withLock { state in
            guard !state.isOver else { return nil as CheckedContinuation<Void, Never>? }
            for sample in samples where state.bursts > 0 {
                let line = state.fuzz.variation(of: sample).canonicalBytes
                state.output += line + [0x0A] + state.fuzz.variation(of: line) + [0x0A]
            }
            state.bursts -= 1
            if let reply = message.flatMap(answer) { state.output += reply.canonicalBytes + [0x0A] }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
        return state.withLock { !$0.isOver }
    }

    func end() { kill() }

    func kill() {
        let (reader, waiting) = state.withLock { state in
            state.isOver = true
            defer {
                state.reader = nil
                state.waiting = []
            }
            return (state.reader, state.waiting)
        }
        reader?.resume()
        for continuation in waiting { continuation.resume(returning: .killed(signal: 15)) }
    }

    func exit() async -> AgentExit {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume(returning: .killed(signal: 15)) }
        }
    }
}

private struct HostileLauncher: AgentLauncher {
    let make: @Sendable () -> any AgentProcess

    func path(of program: String) async -> String? { program }
    func launch(_ launch: AgentLaunch) async throws(AgentLaunchError) -> any AgentProcess { make() }
}

@Suite("Agents that write anything", .timeLimit(.minutes(2)))
struct HostileAgentTests {
    private static let codex = [
        #"{"id":1,"method":"item/commandExecution/requestApproval","params":{"threadId":"t","turnId":"u","itemId":"i","command":"make"}}"#,
        #"{"id":"q","method":"item/tool/requestUserInput","params":{"threadId":"t","questions":[{"id":"q","question":"?","options":[{"label":"a"}]}]}}"#,
        #"{"method":"turn/started","params":{"threadId":"t","turn":{"id":"u"}}}"#,
        #"{"method":"item/started","params":{"threadId":"t","item":{"type":"fileChange","id":"i","changes":[{"path":"a","diff":"+x"}]}}}"#,
        #"{"method":"item/agentMessage/delta","params":{"threadId":"t","itemId":"i","delta":"x"}}"#,
        #"{"method":"serverRequest/resolved","params":{"threadId":"t","requestId":1}}"#,
        #"{"method":"turn/completed","params":{"threadId":"t","turn":{"id":"u","status":"failed","error":{"message":"m"}}}}"#,
    ]
    private static let claude = [
        #"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Edit","input":{"file_path":"/a","old_string":"a"},"permission_suggestions":[{"type":"setMode","mode":"m"}]}}"#,
        #"{"type":"stream_event","event":{"type":"message_start","message":{"id":"m"}}}"#,
        #"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}}"#,
        #"{"type":"result","subtype":"success","is_error":true,"result":"r"}"#,
        #"{"type":"control_cancel_request","request_id":"q"}"#, #"{"type":"system","subtype":"init","session_id":"s"}"#,
    ]
    private static let acp = [
        #"{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"t","rawInput":{"path":"p","edits":[{"newText":"n"}],"changes":{"p":{"type":"add"}}}},"options":[{"optionId":"o","name":"n","kind":"allow_once"}]}}"#,
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}}"#,
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","status":"completed","content":[{"type":"diff","path":"p","newText":"n"}]}}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"fs/write_text_file","params":{"sessionId":"s","path":"/x","content":"y"}}"#,
    ]

    @Sendable
    private static func answer(_ message: JSONValue) -> JSONValue? {
        if message["type"] == "user" { return ["type": "system", "subtype": "init", "session_id": "s"] }
        if let request = message["request_id"] {
            return ["type": "control_response", "response": ["subtype": "success", "request_id": request]]
        }
        guard let id = message["id"], let method = message["method"]?.stringValue else { return nil }
        let result: JSONValue =
            switch method {
            case "initialize": ["protocolVersion": 1]
            case "session/new": ["sessionId": "s"]
            case "session/prompt": ["stopReason": "end_turn"]
            default: ["thread": ["id": "t"], "turn": ["id": "u"]]
            }
        return ["id": id, "result": result]
    }

    @Test(
        "nothing that a program writes harms this one, or comes out of bounds",
        arguments: [Agent.codex, .claudeCode, Agent(rawValue: "acp:x")]
    )
    func hostile(agent: Agent) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-agents-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = agent == .codex ? Self.codex : agent == .claudeCode ? Self.claude : Self.acp
        let samples = try lines.map { try JSONValue(parsing: $0.utf8) }
        let kind: AgentProgram.Kind = agent == .codex ? .codex : agent == .claudeCode ? .claudeCode : .acp
        for seed in 1...12 as ClosedRange<UInt64> {
            let sessions = AgentSessions(
                programs: [AgentProgram(agent: agent, name: "x", command: ["x"], kind: kind)],
                state: folder,
                time: HurriedClock(),
                logger: Logger(label: "test"),
                launcher: HostileLauncher {
                    HostileProcess(seed: seed, samples: samples, answer: Self.answer)
                }
            )
            for _ in 0..<8 {
                // What it makes of a prompt is its own matter; what is known of its threads is bounded.
                let thread = try? await sessions.start(agent, in: "/", ThreadPrompt("x"))
                if let thread { _ = try? await sessions.post(ThreadPrompt("y"), to: thread, in: "/") }
                for approval in sessions.approvals() {
                    let way = try #require(approval.options.first { $0.kind == .decline || $0.kind == .cancel })
                    do {
                        _ = try await sessions.answer(approval.id, ApprovalAnswer(optionID: way.id), by: "p")
                    } catch AgentError.unknownApproval, AgentError.died, AgentError.closed {
                        // Its program is another one by now.
                    }
                }
                #expect(sessions.approvals().count <= ThreadBoard.openLimit)
                #expect(sessions.states().keys.allSatisfy { $0.id.utf8.count <= 200 })
            }
            await sessions.close()
            #expect(sessions.approvals().isEmpty)
            #expect(!sessions.states().values.contains(.running))
        }
    }
}
