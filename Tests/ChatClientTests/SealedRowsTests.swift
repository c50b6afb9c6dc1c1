import Accounts
import Chat
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import ChatClient
@testable import ChatHub

/// A sealing without keys: other devices than the sending one can open a message, as often as the test lets them.
private final class PaperSeal: MessageSealing {
    /// Of the device that has this.
    let isSender: Bool
    let opened = Mutex(0)

    init(isSender: Bool) { self.isSender = isSender }

    func outgoing(_ request: SendMessage) async throws -> SendMessage {
        var sealed = request
        sealed.payload = .sealed([
            "type": "sealed", "v": 1, "body": request.payload.element,
            "number": .integer(Int64(request.payload.contentType.rawValue)),
        ])
        sealed.push = OfflinePush(of: sealed.payload)
        return sealed
    }

    func opened(_ data: MessageData, in conversation: ConversationID) async -> OpenedMessage {
        guard case .sealed(let members) = data.payload else {
            return OpenedMessage(data, isSealed: false, isUnexpectedlyClear: data.contentType == .text)
        }
        opened.withLock { $0 += 1 }
        guard !isSender, let body = members["body"], let number = members["number"]?.integerValue else {
            return OpenedMessage(data, isSealed: true, trouble: .otherDevice)
        }
        var inner = data
        inner.contentType = ContentType(rawValue: Int(number))
        inner.element = body
        return OpenedMessage(inner, isSealed: true)
    }

    func standing(of conversation: ConversationID) async -> SealStanding {
        SealStanding(isSealed: true, isVerified: true)
    }

    func changes() -> AsyncStream<ConversationID> { AsyncStream { $0.finish() } }
}

@Suite("Sealed messages in the store", .timeLimit(.minutes(2)))
struct SealedRowsTests {
    @Test("the sending device keeps what it said, though it cannot open its own message; the other one opens it once")
    func once() async throws {
        let scene = try Scene()
        let (mine, theirs) = (PaperSeal(isSender: true), PaperSeal(isSender: false))
        let ada = try await HubDevice(scene.hub, scene.ada, sealing: mine)
        let bob = try await HubDevice(scene.hub, scene.bob, sealing: theirs)
        let entry = try await ada.repository.send("secret words", in: scene.chat, id: "m1")
        try await ada.settle()
        for _ in 0..<3 {
            try await ada.heal()
            try await bob.heal()
        }
        #expect(entry.text == "secret words")
        for device in [ada, bob] {
            let shown = try #require(try await device.history(scene.chat).first)
            #expect(shown.text == "secret words")
            #expect(shown.isSealed)
            #expect(shown.trouble == nil)
            #expect(try await device.repository.search(.init("secret")).messages.map(\.id) == ["m1"])
        }
        #expect(theirs.opened.withLock(\.self) == 1)
        #expect(mine.opened.withLock(\.self) == 0)
        #expect(try await bob.entry(scene.chat).isVerified)
        // The hub has no words of it.
        let stored = try await scene.hub.truth(scene.chat, for: scene.bob)
        #expect(stored.allSatisfy { !$0.isRecalled })
        _ = try await ada.repository.recall("m1", in: scene.chat)
        try await bob.heal()
        #expect(try await bob.words(scene.chat) == ["-"])
        for device in [ada, bob] { await device.end() }
    }

    @Test(
        "a message that this device cannot open says why and keeps its place; a clear one among sealed ones is marked"
    )
    func trouble() async throws {
        let scene = try Scene()
        let ada = try await HubDevice(scene.hub, scene.ada, sealing: PaperSeal(isSender: true))
        let other = try await HubDevice(scene.hub, scene.ada, "tablet", sealing: PaperSeal(isSender: true))
        _ = try await ada.repository.send("secret", in: scene.chat, id: "m1")
        try await ada.settle()
        try await scene.hub.sends(scene.bob, "plain", in: scene.chat, as: "b1")
        try await other.heal()
        let shown = try await other.history(scene.chat)
        #expect(shown.map(\.kind) == [.unknown, .text])
        #expect(shown.map(\.trouble) == [.otherDevice, nil])
        #expect(shown.map(\.isUnexpectedlyClear) == [false, true])
        for device in [ada, other] { await device.end() }
    }

    @Test("drafts of sealed conversations do not leave the device")
    func drafts() async throws {
        let scene = try Scene()
        try await scene.hub.sends(scene.bob, "plain", in: scene.chat, as: "b1")
        let ada = try await HubDevice(scene.hub, scene.ada, sealing: PaperSeal(isSender: true))
        try await ada.settle()
        try await ada.repository.draft(scene.chat, "later")
        try await ada.settle()
        #expect(try await ada.entry(scene.chat).draft == "later")
        #expect(try await scene.hub.summary(scene.chat, for: scene.ada).settings.draft == nil)
        await ada.end()
    }
}
