import Kernel
import Synchronization

/// An item of a feed, as it waits in a lane.
package protocol FeedItem: Sendable {
    /// Nil where the two do not travel together.
    func joined(with next: Self) -> Self?
    /// Whether the follower gets its content again without asking: such an item makes room before any other.
    var comesAgain: Bool { get }
}

extension FeedItem {
    package func joined(with next: Self) -> Self? { nil }
    package var comesAgain: Bool { false }
}

/// A bounded lane for each follower of a feed: a slow or absent follower holds up no other.
package final class FeedLanes<Follower: Hashable & Sendable, Item: FeedItem>: Sendable {
    /// The time from when a follower comes until it leaves or comes again: a send of an earlier visit says nothing of a later one.
    package struct Visit: Hashable, Sendable {
        package let follower: Follower
        fileprivate let number: UInt64
    }

    private struct Lane {
        var waiting: [Item] = []
        var visit: UInt64
        /// Whether a send of this visit is under way.
        var isSending = false
        /// Sends of any visit that have not ended.
        var sends = 0

        /// - Returns: The item that had to make room.
        mutating func add(_ item: Item, limit: Int) -> Item? {
            if let joined = waiting.last?.joined(with: item) {
                waiting[waiting.count - 1] = joined
                return nil
            }
            var dropped: Item?
            if !waiting.isEmpty, waiting.count >= limit {
                dropped = waiting.remove(at: waiting.firstIndex(where: \.comesAgain) ?? 0)
            }
            waiting.append(item)
            return dropped
        }

        mutating func take(_ limit: Int, of visit: UInt64) -> [Item]? {
            guard visit == self.visit, !waiting.isEmpty else { return nil }
            let items = Array(waiting.prefix(limit))
            waiting.removeFirst(items.count)
            return items
        }

        mutating func begin(_ visit: UInt64) {
            self.visit = visit
            isSending = false
        }

        /// - Returns: Whether a send begins. Where too many stand, the first of them that ends begins the next.
        mutating func beginsSending(limit: Int) -> Bool {
            guard !isSending, !waiting.isEmpty, sends < limit else { return false }
            isSending = true
            sends += 1
            return true
        }
    }

    private struct State {
        var lanes: [Follower: Lane] = [:]
        var visits: UInt64 = 0

        mutating func nextVisit() -> UInt64 {
            visits += 1
            return visits
        }

        mutating func remove(_ follower: Follower) {
            guard let lane = lanes.removeValue(forKey: follower), lane.sends > 0 else { return }
            // Its sends are counted until they end.
            var left = Lane(visit: nextVisit())
            left.sends = lane.sends
            lanes[follower] = left
        }
    }

    private let batch: Int
    private let sendLimit: Int
    private let send: @Sendable ([Item], Visit) async -> Void
    private let state = Mutex(State())
    private let tasks = OwnedTasks()

    /// - Parameters:
    ///   - batch: Items that one send takes at most.
    ///   - sendLimit: Sends to one follower that may be under way at a time, those of earlier visits included. At least 1.
    ///   - send: Sends what waits, in its order. Returns where it failed, too, and says by ``leave(_:)`` that the follower is gone.
    package init(
        batch: Int = .max,
        sendLimit: Int = 1,
        send: @escaping @Sendable ([Item], Visit) async -> Void
    ) {
        self.batch = batch
        self.sendLimit = sendLimit
        self.send = send
    }

    /// Returns at once: what is added by one caller is sent in that order.
    ///
    /// - Parameter limit: Items that wait for the follower at most. At least 1.
    /// - Returns: The item that had to make room: the first that comes again, otherwise the oldest. The follower does not get it.
    @discardableResult
    package func add(_ item: Item, to follower: Follower, limit: Int) -> Item? {
        let (dropped, visit): (Item?, Visit?) = state.withLock { state in
            let number = state.nextVisit()
            // Taken out, so that what waits is not copied.
            var lane = state.lanes.removeValue(forKey: follower) ?? Lane(visit: number)
            let dropped = lane.add(item, limit: limit)
            let begins = lane.beginsSending(limit: sendLimit)
            let visit = Visit(follower: follower, number: lane.visit)
            state.lanes[follower] = lane
            return (dropped, begins ? visit : nil)
        }
        if let visit { begin(visit) }
        return dropped
    }

    /// The follower came again, perhaps on another way: what waits is sent to it, also beside a send that stands on the old one.
    package func renew(_ follower: Follower) {
        let visit: Visit? = state.withLock { state in
            guard var lane = state.lanes.removeValue(forKey: follower) else { return nil }
            lane.begin(state.nextVisit())
            let begins = lane.beginsSending(limit: sendLimit)
            state.lanes[follower] = lane
            return begins ? Visit(follower: follower, number: lane.visit) : nil
        }
        if let visit { begin(visit) }
    }

    /// Forgets what waits for the follower.
    package func remove(_ follower: Follower) { state.withLock { $0.remove(follower) } }

    /// The follower of a send is gone: forgets what waits for it.
    ///
    /// - Returns: False where it came again meanwhile.
    package func leave(_ visit: Visit) -> Bool {
        state.withLock { state in
            guard state.lanes[visit.follower]?.visit == visit.number else { return false }
            state.remove(visit.follower)
            return true
        }
    }

    /// Returns once no send is under way. Sends are cancelled, and what waits behind one is handed to it so; what waits otherwise is dropped.
    package func close() async {
        await tasks.end()
        state.withLock { $0.lanes = [:] }
    }

    private func begin(_ visit: Visit) { tasks.add { await self.drain(visit) } }

    private func drain(_ visit: Visit) async {
        while let items = take(visit) { await send(items, visit) }
        if let next = end(visit) { begin(next) }
    }

    private func take(_ visit: Visit) -> [Item]? {
        state.withLock { $0.lanes[visit.follower]?.take(batch, of: visit.number) ?? nil }
    }

    /// - Returns: The visit that a send begins for now.
    private func end(_ visit: Visit) -> Visit? {
        state.withLock { state in
            guard var lane = state.lanes.removeValue(forKey: visit.follower) else { return nil }
            lane.sends -= 1
            if lane.visit == visit.number { lane.isSending = false }
            let begins = lane.beginsSending(limit: sendLimit)
            if lane.sends > 0 || !lane.waiting.isEmpty { state.lanes[visit.follower] = lane }
            return begins ? Visit(follower: visit.follower, number: lane.visit) : nil
        }
    }
}
