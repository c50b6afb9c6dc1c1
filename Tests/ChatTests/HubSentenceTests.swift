import Accounts
import Kernel
import Testing

@testable import Chat

@Suite("What a hub says itself where it refuses")
struct HubSentenceTests {
    private func error(_ detail: String) -> ChatError { ChatError(IMFailure(.noPermission, detail: detail)) }

    @Test("its sentence stands beside ours, for people and for programs")
    func beside() {
        let refused = error("Chats are closed until Monday.")
        #expect(refused == .refused(.noPermission, hub: "Chats are closed until Monday."))
        #expect(
            refused.description == "\(ChatError.refused(.noPermission)) The hub says: Chats are closed until Monday."
        )
        #expect(refused.facts.kind == .notAllowed)
        #expect(refused.refusal == .noPermission)
    }

    @Test("an envelope's sentence comes without its code and name")
    func envelope() {
        let envelope = IMEnvelope(IMFailure(.noPermission, detail: "Ask Ada."))
        #expect(throws: ChatError.refused(.noPermission, hub: "Ask Ada.")) { try envelope.answer(as: NoMembers.self) }
    }

    @Test(
        "nothing, blanks, controls alone and the code's name are no sentence",
        arguments: ["", " \n", "\u{1B}\u{0}", "NoPermissionError"]
    )
    func none(detail: String) {
        #expect(error(detail) == .refused(.noPermission))
    }

    @Test("controls, line breaks and marks that turn text around do not reach the person")
    func cleaned() {
        #expect(error("No\u{1B}]0;x\u{7}\r\n\u{202E}way ") == .refused(.noPermission, hub: "No ]0;x way"))
    }

    @Test("a long sentence is cut between two characters", arguments: ["x", "é", "語", "🙂"])
    func cut(character: String) throws {
        guard case .refused(_, let hub?) = error(String(repeating: character, count: 100_000)) else {
            Issue.record("no sentence")
            return
        }
        #expect(hub.utf8.count <= ChatError.longestHubSentence)
        #expect(hub.last == "…")
        #expect(hub.dropLast().allSatisfy { String($0) == character })
    }
}
