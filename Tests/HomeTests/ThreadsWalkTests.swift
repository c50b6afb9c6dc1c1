import AgentHistory
import Commands
import Control
import Conversations
import Foundation
import HomeTesting
import Kernel
import KernelTesting
import Pairing
import Rights
import SignalingTesting
import TandemDesktop
import TandemPhone
import Testing
import Threads

@testable import ThreadsHost

/// The conversations on a computer's disk, end to end: files that grow, their index, the computer, its links, and a phone that follows.
@Suite("Threads in a home", .timeLimit(.minutes(2)))
struct ThreadsWalkTests {
    @Test("a phone lists, reads and searches conversations, and tells the agent nothing without that right")
    func reads() async throws {
        let rollout = try EngineRollout(["I look at its log.", "It is out of steam."])
        try await Home.run(.init(host: [rollout.maker])) { home in
            let client = ThreadsClient(try await home.phone.peer(home.pair(allowing: [.threadsRead])))
            let thread = try await Self.listed(by: client)
            #expect(thread.reference == EngineRollout.thread)
            #expect(thread.title == "Why does the engine stop?" && thread.workingFolder == rollout.folder.path)
            #expect(try await client.folders().map(\.path) == [rollout.folder.path])
            let choice = ThreadChoice(thread.reference)
            let last = try await client.page(ThreadPageQuery(choice, limit: 2))
            let older = try #require(last.older)
            let first = try await client.page(ThreadPageQuery(choice, .before(older), limit: 2))
            #expect(first.older == nil)
            #expect(try (first.items + last.items).map(\.id) == rollout.ids)
            // Texts are read behind the list.
            var hits = try await client.search(ThreadSearchQuery("steam"))
            while hits.indexing != nil { hits = try await client.search(ThreadSearchQuery("steam")) }
            #expect(hits.items.map(\.item) == [last.items.last?.id])
            let refused = await #expect(throws: RemoteFailure.self) {
                try await client.post(ThreadPrompt("Fill it up."), to: choice)
            }
            #expect(refused?.code == FailureCode.notAllowed)
            try await home.allow([.threadsWrite])
            let missing = await #expect(throws: RemoteFailure.self) {
                try await client.post(ThreadPrompt("Fill it up."), to: choice)
            }
            #expect(missing?.code == FailureCode.unsupported)
        }
    }

    @Test("who follows gets each message once, over lost links and computers that begin anew, until the right ends")
    func follows() async throws {
        let rollout = try EngineRollout(["I look at its log."])
        try await Home.run(.init(host: [rollout.maker])) { home in
            let peer = try await home.phone.peer(home.pair(allowing: [.threadsRead]))
            _ = try await Self.listed(by: ThreadsClient(peer))
            let follower = Follower(ThreadsClient(peer))
            let clock = ManualClock()
            let following = ThreadFollowing(time: clock)
            let task = Task {
                let topic = ThreadFollowing.Topic(EngineRollout.thread, after: .start)
                try await following.follow(topic, of: peer) { try await follower.take($0) }
            }
            try await follower.has(rollout.ids)
            try rollout.append(["It is cold."])
            try await follower.has(rollout.ids)
            let relays = [home.network.relay(port: 9000), home.network.relay(port: try await home.desktop.boundPort())]
            for round in 0..<3 {
                for relay in relays { relay.stop() }
                try rollout.append(["\(round): out of reach."])
                for relay in relays { relay.restart() }
                try rollout.append(["\(round): back."])
                try await follower.has(rollout.ids)
                await home.stopDesktop()
                try rollout.append(["\(round): ended."])
                try await home.startDesktop()
                try rollout.append(["\(round): begun anew."])
                try await follower.has(rollout.ids)
            }
            let told = follower.shown.value
            // The computer that began anew is asked to tell, whatever the phone has read already.
            while !Task.isCancelled, try await Self.activities(home) != ["threads"] { await Task.yield() }
            try await home.deny([.threadsRead])
            #expect(try await Self.activities(home) == [])
            try rollout.append(["The phone is not told."])
            let library = try #require(try await home.feature(ThreadsSkill.self)?.library)
            while !Task.isCancelled,
                try await library.thread(EngineRollout.thread.id, agent: .codex)?.size != rollout.size
            {
                await Task.yield()
            }
            // It asks to be told on, and is refused.
            await clock.sleepers(1)
            clock.advance(by: ThreadFollowing.renewal)
            let refused = await #expect(throws: RemoteFailure.self) { try await task.value }
            #expect(refused?.code == FailureCode.notAllowed)
            #expect(follower.shown.value == told)
            await following.close()
        }
    }

    /// The one conversation, once the computer has found it.
    private static func listed(by client: ThreadsClient) async throws -> ThreadSummary {
        while true {
            let list = try await client.list()
            guard let thread = list.items.first, list.indexing == nil else { continue }
            #expect(list.items.count == 1 && list.next == nil)
            return thread
        }
    }

    private static func activities(_ home: Home) async throws -> [JSONValue?]? {
        let list = try await home.desktop.control.handle(.init(id: 1, method: "activity.list"))
        return list["activities"]?.arrayValue?.map { $0["kind"] }
    }
}

/// A conversation as a phone shows it.
private actor Follower {
    /// The items' ids, in the order in which they came.
    nonisolated let shown = LatestValue<[String]>([])
    private let client: ThreadsClient
    private var reader = ThreadReader(EngineRollout.thread, after: .start)

    init(_ client: ThreadsClient) { self.client = client }

    /// Returns once these are shown, and says where anything came that is not among them.
    nonisolated func has(_ ids: [String]) async throws {
        for await shown in shown.values() {
            try #require(Array(ids.prefix(shown.count)) == shown)
            if shown.count == ids.count { return }
        }
    }

    func take(_ told: JSONValue) async throws {
        if let first = told["subscribed"] { return try await take(try ThreadPage(wire: first), after: reader.cursor) }
        guard let members = told.objectValue, let name = members["event"]?.stringValue else { return }
        let step = reader.take(RemoteEvent(name, members))
        show(step)
        if step == .ask { try await readOn() }
    }

    private func take(_ page: ThreadPage, after asked: ConversationCursor?) async throws {
        let (step, more) = reader.take(page, after: asked)
        show(step)
        if more { try await readOn() }
    }

    private func readOn() async throws {
        while true {
            let cursor = reader.cursor
            let query = ThreadPageQuery(ThreadChoice(reader.thread), .after(cursor ?? .start), limit: 2)
            let page: ThreadPage
            do {
                page = try await client.page(query)
            } catch is RemoteError {
                // The link is lost again: it is asked for when the computer is back.
                return
            }
            // An event may have come meanwhile.
            if reader.cursor != cursor { continue }
            let (step, more) = reader.take(page, after: cursor)
            show(step)
            if !more { return }
        }
    }

    private func show(_ step: ThreadReader.Step) {
        switch step {
        case .add(let items): shown.update { $0 += items.map(\.id) }
        case .replace(let items): shown.set(items.map(\.id))
        case .ask, .nothing: break
        }
    }
}
