package import CommandServer
import Commands
import Conversations
import Feed
import Foundation
import Kernel
import Logging
package import Rights
import Threads

/// The devices that follow threads or the list, and what waits for each of them.
package actor ThreadFollowers {
    /// How long a subscription lasts without being asked for again.
    static let lease: Duration = .seconds(90)
    /// Threads that one device follows at most.
    static let threadLimit = 32
    /// Events that wait for one device at most. The oldest goes first; a device that misses one notices by the cursors and asks.
    static let waitingLimit = 256
    /// Sends to one device that may be under way at a time, those included that stand on ways that are dead.
    static let sendLimit = 4

    struct Event {
        let kind: EventKind
        var members: [String: JSONValue]
    }

    private enum Topic: Hashable {
        case list
        case thread(ThreadReference)
    }

    /// How far the followers of one thread were told.
    private struct Tail {
        var cursor: ConversationCursor
        let pokes: AsyncStream<Void>.Continuation
    }

    private let outlet: any DeviceOutlet
    private let observer: (any ActivityObserver)?
    private let time: any TimeSource
    private let logger: Logger
    private var subscriptions = FeedSubscriptions<String, Topic>()
    /// The date since which each device follows anything.
    private var since: [String: Date] = [:]
    private var tails: [ThreadReference: Tail] = [:]
    private let tasks = OwnedTasks()
    private lazy var lanes = FeedLanes<String, Event>(batch: 1, sendLimit: ThreadFollowers.sendLimit) {
        [weak self] events, visit in
        for event in events { await self?.send(event, visit) }
    }

    init(outlet: any DeviceOutlet, observer: (any ActivityObserver)?, time: any TimeSource, logger: Logger) {
        self.outlet = outlet
        self.observer = observer
        self.time = time
        self.logger = logger
    }

    // MARK: Who follows what

    func follow(_ thread: ThreadReference, _ device: String) throws {
        sweep()
        let topics = subscriptions.topics(of: device)
        guard topics.contains(.thread(thread)) || topics.subtracting([.list]).count < Self.threadLimit else {
            throw ThreadsError.tooManyThreads(limit: Self.threadLimit)
        }
        enter(device, .thread(thread))
    }

    func followList(_ device: String) throws {
        sweep()
        enter(device, .list)
    }

    func unfollow(_ thread: ThreadReference, _ device: String) {
        subscriptions.unfollow(.thread(thread), device)
        sweep()
    }

    func unfollowList(_ device: String) {
        subscriptions.unfollow(.list, device)
        sweep()
    }

    private func enter(_ device: String, _ topic: Topic) {
        subscriptions.follow(topic, device, until: time.now + Self.lease)
        // It may have come back on another way, so that a send of before says nothing of it.
        guard since[device] == nil else { return lanes.renew(device) }
        let date = time.date
        since[device] = date
        observer?.began(Activity(.threads, device, device: device, since: date))
    }

    /// Leaves out what was not asked for again, and tails that have no follower.
    private func sweep() {
        for device in subscriptions.sweep(at: time.now) { forget(device) }
        let followed = subscriptions.topics
        for (thread, tail) in tails where !followed.contains(.thread(thread)) {
            tail.pokes.finish()
            tails[thread] = nil
        }
    }

    private func forget(_ device: String) {
        subscriptions.remove(device)
        since[device] = nil
        lanes.remove(device)
    }

    // MARK: Tails

    /// - Parameter read: Tells what stands behind the tail; runs for each poke, never twice at the same time.
    func begin(
        _ thread: ThreadReference,
        at cursor: ConversationCursor,
        read: @escaping @Sendable () async -> Void
    ) {
        guard tails[thread] == nil else { return }
        let (pokes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        tails[thread] = Tail(cursor: cursor, pokes: continuation)
        // Items written since the cursor was read had no tail to poke.
        continuation.yield()
        tasks.add { for await _ in pokes { await read() } }
    }

    func tail(of thread: ThreadReference) -> ConversationCursor? {
        sweep()
        return tails[thread]?.cursor
    }

    func move(_ thread: ThreadReference, from: ConversationCursor, to cursor: ConversationCursor) {
        if tails[thread]?.cursor == from { tails[thread]?.cursor = cursor }
    }

    func poke(_ thread: ThreadReference) { tails[thread]?.pokes.yield() }

    // MARK: Telling

    /// Tells the devices that follow the thread.
    func tell(_ kind: EventKind, _ members: [String: JSONValue], of thread: ThreadReference) {
        tell([.thread(thread)], Event(kind: kind, members: members))
    }

    /// Tells the devices that follow the thread or the list.
    func tellList(_ kind: EventKind, _ members: [String: JSONValue], of thread: ThreadReference) {
        tell([.list, .thread(thread)], Event(kind: kind, members: members))
    }

    private func tell(_ topics: Set<Topic>, _ event: Event) {
        for device in subscriptions.followers(of: topics, at: time.now) {
            lanes.add(event, to: device, limit: Self.waitingLimit)
        }
    }

    private func send(_ event: Event, _ visit: FeedLanes<String, Event>.Visit) async {
        // It may have been forgotten after the event was taken from its lane.
        guard since[visit.follower] != nil else { return }
        do {
            try await outlet.send(event.kind, event.members, to: visit.follower)
        } catch RemoteError.notConnected {
            // It is away or may not be told any more, unless it asked again meanwhile. It asks again when it is back.
            guard lanes.leave(visit) else { return }
            forget(visit.follower)
            sweep()
        } catch {
            // Too large for the device, for example. By the cursor of the next one it notices that it misses this.
            logger.notice(
                "an event of a thread was not told",
                metadata: ["device": "\(visit.follower)", "event": "\(event.kind.name)", "reason": "\(error)"]
            )
        }
    }

    func close() async {
        for device in since.keys { forget(device) }
        sweep()
        await lanes.close()
        await tasks.end()
    }
}

extension ThreadFollowers.Event: FeedItem {
    /// A piece of a message comes again with the message itself.
    var comesAgain: Bool { kind == .threadDelta }

    /// Pieces of one message that follow each other travel together.
    func joined(with next: ThreadFollowers.Event) -> ThreadFollowers.Event? {
        guard kind == .threadDelta, next.kind == .threadDelta, members["item"] == next.members["item"],
            members["id"] == next.members["id"], let text = members["text"]?.stringValue,
            let more = next.members["text"]?.stringValue, text.utf8.count + more.utf8.count <= ThreadLimits.pageText,
            let offset = members["offset"]?.integerValue,
            next.members["offset"]?.integerValue == offset + Int64(text.utf16.count)
        else { return nil }
        var joined = self
        joined.members["text"] = .string(text + more)
        return joined
    }
}

extension Activity.Kind {
    /// Not shown as a message: it begins whenever a person opens the list on a phone.
    package static let threads = Activity.Kind(
        "threads",
        needs: .threadsRead,
        words: "follows conversations with coding agents",
        isShown: false
    )
}

extension ThreadFollowers: ActivityKeeper {
    /// The owner's own pages are no activity of a device.
    package func activities() -> [Activity] {
        sweep()
        return since.filter { $0.key != ThreadOwner.caller.id }
            .map { Activity(.threads, $0.key, device: $0.key, since: $0.value) }
    }

    package func end(_ id: Activity.ID) -> Bool {
        guard let activity = activities().first(where: { $0.id == id }) else { return false }
        forget(activity.device)
        sweep()
        return true
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) {
        guard rights.contains(.threadsRead) else { return }
        forget(device)
        sweep()
    }
}
