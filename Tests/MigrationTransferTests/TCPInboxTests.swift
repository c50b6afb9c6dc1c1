import Testing

@testable import MigrationTransfer

@Suite("What a TCP connection brought", .timeLimit(.minutes(1)))
struct TCPInboxTests {
    @Test("what came before the end is there for whoever asks later: a refusal is the last thing that a peer says")
    func lastWord() async throws {
        let inbox = TCPInbox()
        inbox.take([0, 0, 0, 3, 1, 2, 3])
        inbox.readIsComplete()
        inbox.end(nil)
        let body = try await inbox.next {}
        #expect(body == [1, 2, 3])
        let end = try await inbox.next {}
        #expect(end == nil)
    }

    @Test("a body that was cut short is none")
    func cutShort() async throws {
        let inbox = TCPInbox()
        inbox.take([0, 0, 0, 3, 1, 2])
        inbox.end(nil)
        let end = try await inbox.next {}
        #expect(end == nil)
    }
}
