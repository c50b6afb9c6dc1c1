package import CommandServer
import Commands
import Conversations
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
    static let drainLimit = 4

    struct Event {
        let kind: EventKind
        var members: [String: JSONValue]
    }

    private struct Device {
        var threads: [ThreadReference: ContinuousClock.Instant] = [:]
        var list: ContinuousClock.Instant?
        var waiting: [Event] = []
        var isSending = false
        /// Another one each time that the device asks. It may have come back on another way, so that a send of before says nothing of it.
        var generation: UInt64
        let since: Date
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
    private var devices: [String: Device] = [:]
    private var generation: UInt64 = 0
    /// Drains that have not ended, of any generation, by device.
    private var drains: [String: Int] = [:]
    private var tails: [ThreadReference: Tail] = [:]
    private let tasks = OwnedTasks()

    init(outlet: any DeviceOutlet, observer: (any ActivityObserver)?, time: any TimeSource, logger: Logger) {
        self.outlet = outlet
        self.observer = observer
        self.time = time
        self.logger = logger
    }

    // MARK: Who follows what

    func follow(_ thread: ThreadReference, _ device: String) throws {
        sweep()
        let count = devices[device]?.threads.count ?? 0
        guard devices[device]?.threads[thread] != nil || count < Self.threadLimit else {
            throw ThreadsError.tooManyThreads(limit: Self.threadLimit)
        }
        enter(device)
        devices[device]?.threads[thread] = time.now + Self.lease
    }

    func followList(_ device: String) throws {
        sweep()
        enter(device)
        devices[device]?.list = time.now + Self.lease
    }

    func unfollow(_ thread: ThreadReference, _ device: String) {
        devices[device]?.threads[thread] = nil
        sweep()
    }

    func unfollowList(_ device: String) {
        devices[device]?.list = nil
        sweep()
    }

    private func enter(_ device: String) {
        generation += 1
        guard devices[device] == nil else {
            devices[device]?.generation = generation
            devices[device]?.isSending = false
            return startDrain(device)
        }
        let date = time.date
        devices[device] = Device(generation: generation, since: date)
        observer?.began(Activity(.threads, device, device: device, since: date))
    }

    /// Leaves out what was not asked for again, and tails that have no follower.
    private func sweep() {
        let now = time.now
        devices = devices.compactMapValues { device in
            var device = device
            device.threads = device.threads.filter { $0.value > now }
            if let end = device.list, end <= now { device.list = nil }
            return device.threads.isEmpty && device.list == nil ? nil : device
        }
        let followed = Set(devices.values.flatMap(\.threads.keys))
        for (thread, tail) in tails where !followed.contains(thread) {
            tail.pokes.finish()
            tails[thread] = nil
        }
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
        let now = time.now
        for (id, device) in devices where device.threads[thread].map({ $0 > now }) ?? false {
            queue(Event(kind: kind, members: members), for: id)
        }
    }

    /// Tells the devices that follow the thread or the list.
    func tellList(_ kind: EventKind, _ members: [String: JSONValue], of thread: ThreadReference) {
        let now = time.now
        for (id, device) in devices {
            let ends = [device.list, device.threads[thread]].compactMap(\.self)
            if ends.contains(where: { $0 > now }) { queue(Event(kind: kind, members: members), for: id) }
        }
    }

    private func queue(_ event: Event, for id: String) {
        guard var device = devices[id] else { return }
        if let last = device.waiting.last, let joined = last.joined(with: event) {
            device.waiting[device.waiting.count - 1] = joined
        } else {
            if device.waiting.count >= Self.waitingLimit {
                // A piece of a message comes again with the message itself.
                let least = device.waiting.firstIndex { $0.kind == .threadDelta } ?? 0
                device.waiting.remove(at: least)
            }
            device.waiting.append(event)
        }
        devices[id] = device
        startDrain(id)
    }

    /// Sends what waits, unless that is done already, or too many sends stand: then the first of them that ends does it.
    private func startDrain(_ id: String) {
        guard let device = devices[id], !device.isSending, !device.waiting.isEmpty,
            drains[id, default: 0] < Self.drainLimit
        else { return }
        devices[id]?.isSending = true
        drains[id, default: 0] += 1
        tasks.add { await self.drain(id, device.generation) }
    }

    private func next(for id: String, _ generation: UInt64) -> Event? {
        guard let device = devices[id], device.generation == generation else { return nil }
        guard let first = device.waiting.first else {
            devices[id]?.isSending = false
            return nil
        }
        devices[id]?.waiting.removeFirst()
        return first
    }

    private func drain(_ id: String, _ generation: UInt64) async {
        while let event = next(for: id, generation) {
            do {
                try await outlet.send(event.kind, event.members, to: id)
            } catch RemoteError.notConnected {
                // It is away or may not be told any more, unless it asked again meanwhile. It asks again when it is back.
                guard devices[id]?.generation == generation else { break }
                devices[id] = nil
                sweep()
            } catch {
                // Too large for the device, for example. By the cursor of the next one it notices that it misses this.
                logger.notice(
                    "an event of a thread was not told",
                    metadata: ["device": "\(id)", "event": "\(event.kind.name)", "reason": "\(error)"]
                )
            }
        }
        let left = drains[id, default: 1] - 1
        drains[id] = left > 0 ? left : nil
        startDrain(id)
    }

    func close() async {
        devices = [:]
        sweep()
        await tasks.end()
    }
}

extension ThreadFollowers.Event {
    /// Pieces of one message that follow each other travel together.
    fileprivate func joined(with next: ThreadFollowers.Event) -> ThreadFollowers.Event? {
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
        return devices.filter { $0.key != ThreadOwner.caller.id }
            .map { Activity(.threads, $0.key, device: $0.key, since: $0.value.since) }
    }

    package func end(_ id: Activity.ID) -> Bool {
        guard let activity = activities().first(where: { $0.id == id }) else { return false }
        devices[activity.device] = nil
        sweep()
        return true
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) {
        guard rights.contains(.threadsRead) else { return }
        devices[device] = nil
        sweep()
    }
}
