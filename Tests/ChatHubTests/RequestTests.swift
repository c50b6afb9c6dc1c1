import Accounts
import Chat
import ChatHub
import Testing

@Suite("Strangers", .timeLimit(.minutes(1)))
struct RequestTests {
    private func send(
        _ log: any MessageLog,
        _ words: String,
        kind: MessageFacts.Kind = .text,
        from sender: Int64,
        to receiver: Int64,
        rules: SendRules = SendRules()
    ) async throws -> MessageAck {
        try await log.append(.make(words, kind, id: words, from: sender, to: receiver), rules: rules, at: start)
    }

    @Test("a first message is a request: one, and text or sealed alone", arguments: StoreKind.allCases)
    func request(kind: StoreKind) async throws {
        let log = try kind.make().log
        await #expect(throws: ChatHubError.requestNeedsText) {
            try await send(log, "picture", kind: .image, from: 7, to: 8)
        }
        await #expect(throws: ChatHubError.requestNeedsText) {
            try await send(log, "control", kind: .control, from: 7, to: 8)
        }
        #expect(try await send(log, "hello", from: 7, to: 8).isRequest)
        await #expect(throws: ChatHubError.requestPending) { try await send(log, "hello?", from: 7, to: 8) }
        #expect(try await send(log, "hello", from: 7, to: 8).isRepeat)
        #expect(try await log.summary(of: chat(7, 8), for: person(8)).request == .incoming)
        #expect(try await log.summary(of: chat(7, 8), for: person(7)).request == .outgoing)
        #expect(try await send(log, "sealed", kind: .sealed, from: 7, to: 9).isRequest)
    }

    @Test("a request is bounded in bytes, and by how many the sender began", arguments: StoreKind.allCases)
    func bounds(kind: StoreKind) async throws {
        let log = try kind.make().log
        var rules = SendRules()
        rules.requestByteLimit = 5
        await #expect(throws: ChatHubError.tooLarge(limit: 5)) {
            try await send(log, "hello?", from: 7, to: 8, rules: rules)
        }
        rules.mayBegin = false
        await #expect(throws: ChatHubError.tooManyStrangers) {
            try await send(log, "hello", from: 7, to: 8, rules: rules)
        }
        #expect(try await log.seqs(of: person(7)).isEmpty)
    }

    @Test("accepting, and answering, open the conversation for both", arguments: StoreKind.allCases, [true, false])
    func accepting(kind: StoreKind, byAnswer: Bool) async throws {
        let store = try kind.make()
        let log = store.log
        _ = try await send(log, "hello", from: 7, to: 8)
        _ = store.told.take()
        if byAnswer {
            _ = try await send(log, "hi", from: 8, to: 7)
        } else {
            await #expect(throws: ChatHubError.notFound) {
                try await log.answerRequest(chat(7, 8), by: person(7), accepts: true, at: start)
            }
            try await log.answerRequest(chat(7, 8), by: person(8), accepts: true, at: start)
            try await log.answerRequest(chat(7, 8), by: person(8), accepts: true, at: start)
        }
        let here = try chat(7, 8)
        let told = store.told.take().pushes.filter { $0.change == .requestAccepted(here) }
        #expect(Set(told.map(\.person.number)) == [7, 8])
        #expect(told.count == 2)
        _ = try await send(log, "picture", kind: .image, from: 7, to: 8)
        #expect(try await log.summary(of: chat(7, 8), for: person(7)).request == .none)
    }

    @Test("who is declined is not told and cannot write again, until the other one does", arguments: StoreKind.allCases)
    func declining(kind: StoreKind) async throws {
        let store = try kind.make()
        let log = store.log
        _ = try await send(log, "hello", from: 7, to: 8)
        _ = store.told.take()
        try await log.answerRequest(chat(7, 8), by: person(8), accepts: false, at: start)
        #expect(store.told.take().pushes.map(\.person.number) == [8])
        #expect(try await log.summary(of: chat(7, 8), for: person(7)).request == .outgoing)
        #expect(try await log.conversations(of: person(8), page: ListPage()).total == 0)
        await #expect(throws: ChatHubError.requestPending) { try await send(log, "hello?", from: 7, to: 8) }
        _ = try await send(log, "after all", from: 8, to: 7)
        _ = try await send(log, "good", from: 7, to: 8)
    }

    @Test(
        "a stranger learns neither that the request was read nor whether the person is there",
        arguments: StoreKind.allCases
    )
    func privacy(kind: StoreKind) async throws {
        let store = try kind.make()
        let log = store.log
        _ = try await send(log, "hello", from: 7, to: 8)
        _ = store.told.take()
        _ = try await log.read(chat(7, 8), by: person(8), upTo: 1, tellsPeer: true, origin: nil, at: start)
        #expect(store.told.take().pushes.map(\.person.number) == [8])
        #expect(try await log.acquaintances(of: person(7), among: [person(8)]).isEmpty)
    }
}
