import Agents
import Commands
import Conversations
import Kernel
import Testing
import ThreadIndex
import ThreadsHost

/// The codes are a contract with the programs that phones run.
@Suite("Threads: with what agents and their index refuse a device")
struct AgentErrorTests {
    private static let thread = ThreadReference(agent: .codex, id: "t")

    @Test("each refusal of an agent has the code that it had")
    func agents() {
        let rows: [(AgentError, Int)] = [
            (.unknownThread(Self.thread), -32024), (.unknownApproval, -32024), (.folderMissing("/x"), -32024),
            (.folderUnknown(Self.thread), -32024), (.attachmentMissing("/x"), -32024), (.unknownAgent(.codex), -32602),
            (.nothingToSay, -32602), (.optionNotOffered("x"), -32602), (.answerMissing(question: "x"), -32602),
            (.textTooLong(limit: 1), -32602), (.attachmentTooLarge(name: "x", limit: 1), -32602),
            (.notInstalled(name: "x", how: "y"), -32006), (.notSignedIn(name: "x", text: "y"), -32006),
            (.cannotResume(name: "x"), -32006), (.busy(name: "x"), -32005), (.tooMany(what: "x", limit: 1), -32005),
            (.notStarted(name: "x", reason: "y"), -32603), (.died(name: "x", how: "y", lastWords: "z"), -32603),
            (.refused(name: "x", reason: "y"), -32603), (.timedOut(name: "x", after: .seconds(1)), -32603),
            (.storageFailed("x"), -32603), (.closed, -32603),
        ]
        for (error, code) in rows { #expect(error.facts == .code(code), "\(error)") }
    }

    @Test("each refusal of the index has the code that it had")
    func index() {
        let rows: [(ThreadIndexError, Int)] = [
            (.unknownThread(Self.thread), -32024), (.badCursor, -32602), (.queryTooLong(limit: 1), -32602),
            (.unreadable(Self.thread), -32004), (.cacheFailed(reason: "x"), -32603),
        ]
        for (error, code) in rows { #expect(error.facts == .code(code), "\(error)") }
    }

    @Test("a device is answered with the code and the sentence")
    func answer() async {
        let error = AgentError.unknownApproval
        await #expect(throws: RemoteFailure(code: FailureCode.notFound, message: error.description)) {
            try await RemoteFailure.answering { () async throws -> Int in throw error }
        }
    }
}
