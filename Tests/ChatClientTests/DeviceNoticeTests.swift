import Accounts
import Chat
import Foundation
import Kernel
import Synchronization
import Testing

@testable import ChatClient
@testable import ChatHub

/// A sealing that seals nothing, with a list of devices of the other person that a test changes.
private final class ListSeal: MessageSealing {
    private struct State {
        var start: [UInt8] = [1]
        var entries: [DeviceChange] = []
    }

    private let state = Mutex(State())
    private let changed = Broadcaster<ConversationID>(capacity: 8)

    func grow(_ change: DeviceChange, in conversation: ConversationID) {
        state.withLock { $0.entries.append(change) }
        changed.send(conversation)
    }

    func outgoing(_ request: SendMessage) async throws -> SendMessage { request }

    func opened(_ data: MessageData, in conversation: ConversationID) async -> OpenedMessage {
        OpenedMessage(data, isSealed: false)
    }

    func standing(of conversation: ConversationID) async -> SealStanding { SealStanding(isSealed: true) }

    func deviceChanges(of conversation: ConversationID, since place: DeviceListPlace?) async -> DeviceChanges? {
        state.withLock { state in
            DeviceChanges(
                upTo: DeviceListPlace(start: state.start, number: state.entries.count),
                changes: place.map { Array(state.entries.dropFirst($0.number)) } ?? []
            )
        }
    }

    func changes() -> AsyncStream<ConversationID> { changed.subscribe() }
}

@Suite("Lines about the other person's devices", .timeLimit(.minutes(2)))
struct DeviceNoticeTests {
    private static let tablet = DeviceChange(added: ["tablet"], removed: [])
    private static let laptop = DeviceChange(added: [], removed: ["laptop"])

    /// What pages say of a conversation from its end to its beginning: places of messages, names of devices.
    private func walk(_ device: HubDevice, _ chat: ConversationID, page size: Int) async throws -> [String] {
        var all: [String] = []
        var before: Int64?
        while true {
            let page = try await device.repository.history(of: chat, before: before, limit: size)
            let notices = page.notices.map { "after \($0.after): +\($0.added) -\($0.removed)" }
            all = page.messages.map { "\($0.seq ?? 0)" } + notices + all
            guard !page.isEnd, let first = page.messages.first?.seq else { return all }
            before = first
        }
    }

    @Test(
        "each change is one line behind the newest message of its time, in one page of history, after a restart too",
        arguments: [1, 2, 40]
    )
    func lines(page: Int) async throws {
        let scene = try Scene()
        let folder = try TemporaryFolder()
        let seal = ListSeal()
        // What was there before the conversation was seen is no change.
        seal.grow(DeviceChange(added: ["phone"], removed: []), in: scene.chat)
        let device = try await HubDevice(scene.hub, scene.ada, in: folder, sealing: seal)
        try await scene.hub.sends(scene.bob, "one", in: scene.chat, as: "b1")
        try await device.heal()
        let told = LatestValue<[ChatControl.Notice]>([], capacity: 64)
        let following = Task {
            try await device.repository.follow(nil) { item in
                if let notice = item.notice { told.update { $0.append(notice) } }
            }
        }
        seal.grow(Self.tablet, in: scene.chat)
        for await all in told.values() where all.count == 1 { break }
        try await scene.hub.sends(scene.bob, "two", in: scene.chat, as: "b2")
        try await device.heal()
        seal.grow(Self.laptop, in: scene.chat)
        for await all in told.values() where all.count == 2 { break }
        try await device.heal()
        #expect(told.value.map(\.after) == [1, 2])
        #expect(told.value.map(\.added) == [["tablet"], []])
        await device.end()
        _ = await following.result
        // What changes while nothing runs is found at the next start.
        seal.grow(Self.tablet, in: scene.chat)
        let again = try await HubDevice(scene.hub, scene.ada, in: folder, sealing: seal)
        try await again.heal()
        let seen = try await walk(again, scene.chat, page: page).filter { $0.hasPrefix("after") }
        #expect(
            seen.sorted() == ["after 1: +[\"tablet\"] -[]", "after 2: +[\"tablet\"] -[]", "after 2: +[] -[\"laptop\"]"]
        )
        await again.end()
    }

    @Test("C9: a history that is cleared has no lines of before")
    func cleared() async throws {
        let scene = try Scene()
        let seal = ListSeal()
        let device = try await HubDevice(scene.hub, scene.ada, sealing: seal)
        try await scene.hub.sends(scene.bob, "one", in: scene.chat, as: "b1")
        try await device.heal()
        let told = LatestValue(0)
        let following = Task {
            try await device.repository.follow(nil) { if $0.notice != nil { told.update { $0 += 1 } } }
        }
        seal.grow(Self.tablet, in: scene.chat)
        for await count in told.values() where count == 1 { break }
        try await device.repository.clear(scene.chat)
        try await device.heal()
        #expect(try await device.repository.history(of: scene.chat).notices == [])
        await device.end()
        _ = await following.result
    }
}
