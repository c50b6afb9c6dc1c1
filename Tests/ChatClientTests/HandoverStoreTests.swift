import Accounts
import Chat
import ChatSealing
import Foundation
import Kernel
import KernelTesting
import Sealing
import Testing

@testable import ChatClient
@testable import ChatHub

/// What a page that another device handed over may change in the store of conversations.
@Suite("History from another device in the store", .timeLimit(.minutes(2)))
struct HandoverStoreTests {
    private static let offer = [UInt8](repeating: 1, count: 16)

    /// Opens nothing: every sealed message was sealed for other devices, or is what the test says.
    private struct Closed: MessageSealing {
        var trouble = ChatControl.SealTrouble.otherDevice

        func outgoing(_ request: SendMessage) -> SendMessage { request }

        func opened(_ data: MessageData, in conversation: ConversationID) -> OpenedMessage {
            guard case .sealed = data.payload else { return OpenedMessage(data, isSealed: false) }
            return OpenedMessage(data, isSealed: true, trouble: trouble)
        }

        func standing(of conversation: ConversationID) -> SealStanding { SealStanding(isSealed: true) }

        func changes() -> AsyncStream<ConversationID> { AsyncStream { $0.finish() } }
    }

    private func device(_ scene: Scene, trouble: ChatControl.SealTrouble = .otherDevice) async throws -> HubDevice {
        try await HubDevice(scene.hub, scene.ada, "tablet", sealing: Closed(trouble: trouble))
    }

    /// Sends sealed messages of Bob, named m1, m2 and so on.
    private func seal(_ count: Int, in scene: Scene, from first: Int = 1) async throws {
        for number in first..<first + count {
            let payload = MessagePayload.sealed(["type": "sealed", "v": 1, "body": .integer(Int64(number))])
            _ = try await scene.hub.ask(
                ChatEndpoints.send,
                SendMessage(to: .conversation(scene.chat), payload, clientMessageID: "m\(number)"),
                by: scene.hub.asker(scene.bob, "elsewhere")
            )
        }
    }

    /// A page with the words of these messages, the newest first.
    private func page(_ numbers: ClosedRange<Int64>, in scene: Scene) throws -> HandoverPage {
        let messages = numbers.reversed().compactMap { number in
            HandoverPage.Message(
                in: scene.chat,
                from: scene.bob,
                id: "m\(number)",
                sequence: number,
                .text("words of \(number)")
            )
        }
        return try #require(HandoverPage(packing: messages))
    }

    private func begin(_ pages: Int, of messages: Int, at device: HubDevice) async throws {
        let listed = (0..<pages).map { number in
            HandoverIndex.Page(
                SealedPart(object: "chat/sealed/\(number)", hash: [UInt8](repeating: 1, count: 32), size: 100),
                key: [UInt8](repeating: 2, count: 32),
                count: messages / pages
            )
        }
        _ = try await device.repository.begin(taking: Self.offer, HandoverIndex(listed, isCut: false))
    }

    private func take(_ page: HandoverPage, number: Int = 0, at device: HubDevice) async throws {
        try await device.repository.take(page, number: number, of: Self.offer)
    }

    @Test("messages that are here get their words, are told of, and are found by a search")
    func here() async throws {
        let scene = try Scene()
        try await seal(3, in: scene)
        let tablet = try await device(scene)
        try await tablet.settle()
        #expect(try await tablet.history(scene.chat).map(\.trouble) == [.otherDevice, .otherDevice, .otherDevice])
        try await begin(1, of: 3, at: tablet)
        try await take(page(1...3, in: scene), at: tablet)
        try await tablet.settle()
        let shown = try await tablet.history(scene.chat)
        #expect(shown.map(\.text) == ["words of 1", "words of 2", "words of 3"])
        #expect(shown.allSatisfy { $0.trouble == nil && $0.isSealed })
        #expect(try await tablet.repository.search(.init("words")).messages.count == 3)
        // The hub says the same again: nothing is lost by it.
        try await tablet.heal()
        #expect(try await tablet.history(scene.chat).map(\.text) == shown.map(\.text))
        await tablet.end()
    }

    @Test("words of messages that are not here wait for these, and make no row before")
    func later() async throws {
        let scene = try Scene()
        let tablet = try await device(scene)
        try await tablet.settle()
        try await begin(1, of: 3, at: tablet)
        try await take(page(1...3, in: scene), at: tablet)
        #expect(try await tablet.repository.search(.init("words")).messages.isEmpty)
        #expect(try await tablet.repository.list().conversations.isEmpty)
        try await seal(3, in: scene)
        try await tablet.heal()
        #expect(try await tablet.history(scene.chat).map(\.text) == ["words of 1", "words of 2", "words of 3"])
        #expect(try await tablet.entry(scene.chat).unread == 3)
        await tablet.end()
    }

    @Test(
        "what was recalled is shown no more, whether the hub said so before its page or after",
        arguments: [true, false]
    )
    func recalled(isBefore: Bool) async throws {
        let scene = try Scene()
        let folder = try TemporaryFolder()
        let tablet = try await HubDevice(scene.hub, scene.ada, "tablet", in: folder, sealing: Closed())
        try await tablet.settle()
        if !isBefore {
            try await begin(1, of: 2, at: tablet)
            try await take(page(1...2, in: scene), at: tablet)
            tablet.server.setOnline(false)
        }
        try await seal(2, in: scene)
        _ = try await scene.hub.ask(
            ChatEndpoints.revoke,
            RevokeMessage(scene.chat, clientMessageID: "m1"),
            by: scene.hub.asker(scene.bob, "elsewhere")
        )
        try await tablet.heal()
        if isBefore {
            try await begin(1, of: 2, at: tablet)
            try await take(page(1...2, in: scene), at: tablet)
            try await tablet.settle()
        }
        let shown = try await tablet.history(scene.chat)
        #expect(shown.map(\.kind) == [.recalled, .text])
        #expect(shown.map(\.text) == ["", "words of 2"])
        try await tablet.settle()
        #expect(try !folder.holds("words of 1"))
        await tablet.end()
    }

    @Test("cleared history does not come back")
    func cleared() async throws {
        let scene = try Scene()
        try await seal(2, in: scene)
        let tablet = try await device(scene)
        try await tablet.settle()
        try await tablet.repository.clear(scene.chat)
        try await seal(1, in: scene, from: 3)
        try await tablet.heal()
        try await begin(1, of: 3, at: tablet)
        try await take(page(1...3, in: scene), at: tablet)
        try await tablet.heal()
        #expect(try await tablet.history(scene.chat).map(\.text) == ["words of 3"])
        await tablet.end()
    }

    @Test(
        "a message whose signature or list did not hold stays closed",
        arguments: [ChatControl.SealTrouble.badSignature, .unknownList, .damaged]
    )
    func closed(trouble: ChatControl.SealTrouble) async throws {
        let scene = try Scene()
        try await seal(1, in: scene)
        let tablet = try await device(scene, trouble: trouble)
        try await tablet.settle()
        try await begin(1, of: 1, at: tablet)
        try await take(page(1...1, in: scene), at: tablet)
        try await tablet.settle()
        #expect(try await tablet.history(scene.chat).map(\.trouble) == [trouble])
        await tablet.end()
    }

    @Test("a clear message, and one at another place, keep what they say")
    func kept() async throws {
        let scene = try Scene()
        try await scene.hub.sends(scene.bob, "clear", in: scene.chat, as: "m1")
        try await seal(1, in: scene, from: 2)
        let tablet = try await device(scene)
        try await tablet.settle()
        try await begin(1, of: 2, at: tablet)
        let wrong = HandoverPage.Message(in: scene.chat, from: scene.bob, id: "m2", sequence: 1, .text("moved"))
        let messages = [try page(1...1, in: scene).messages.first, wrong].compactMap(\.self)
        try await take(try #require(HandoverPage(packing: messages)), at: tablet)
        try await tablet.settle()
        let shown = try await tablet.history(scene.chat)
        #expect(shown.map(\.text) == ["clear", ""])
        #expect(shown.map(\.trouble) == [nil, .otherDevice])
        await tablet.end()
    }

    @Test("pages are taken once and in their order, and it is known how far they came")
    func order() async throws {
        let scene = try Scene()
        try await seal(4, in: scene)
        let tablet = try await device(scene)
        try await tablet.settle()
        try await begin(2, of: 4, at: tablet)
        try await take(page(1...2, in: scene), number: 1, at: tablet)
        #expect(try await tablet.repository.taking(Self.offer)?.taken == 0)
        for _ in 0..<2 { try await take(page(3...4, in: scene), number: 0, at: tablet) }
        let half = try #require(try await tablet.repository.taking(Self.offer))
        #expect(half.next == 1 && half.taken == 2 && !half.isDone)
        // A beginning of the same offer goes on.
        try await begin(2, of: 4, at: tablet)
        try await take(page(1...2, in: scene), number: 1, at: tablet)
        let whole = try #require(try await tablet.repository.newestTaking())
        #expect(whole.taken == 4 && whole.isDone)
        try await tablet.settle()
        #expect(try await tablet.history(scene.chat).allSatisfy { $0.trouble == nil })
        await tablet.end()
    }
}
