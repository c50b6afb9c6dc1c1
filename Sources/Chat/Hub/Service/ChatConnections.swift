package import Accounts
import Feed
import Kernel
import Metrics
import Synchronization

/// What goes out on a connection.
package enum ChatDelivery: Hashable, Sendable {
    case push(ChatPush)
    /// Pushes were dropped, because the connection did not take them: ask for what is missing, by seqs and by the number of events.
    case resync
}

extension ChatDelivery: FeedItem {
    /// Whoever loads anew gets the rest by that.
    package func joined(with next: ChatDelivery) -> ChatDelivery? { self == .resync ? .resync : nil }
}

/// The connections of people's devices, in memory: who is there, and a bounded lane for each. One that does not read holds up no other.
package final class ChatConnections: Sendable {
    /// - Returns: False where the connection is gone.
    package typealias Send = @Sendable ([ChatDelivery]) async -> Bool

    private struct Connection {
        let asker: ChatAsker
        let send: Send
        /// The people whose presence it follows.
        var watched: Set<UserID> = []
    }

    private struct State {
        var connections: [UInt64: Connection] = [:]
        var ofPeople: [UserID: Set<UInt64>] = [:]
        var watchers: [UserID: Set<UInt64>] = [:]
        var number: UInt64 = 0

        mutating func watch(_ people: Set<UserID>, by id: UInt64) {
            guard let before = connections[id]?.watched else { return }
            for person in before.subtracting(people) {
                watchers[person]?.remove(id)
                if watchers[person]?.isEmpty == true { watchers[person] = nil }
            }
            for person in people { watchers[person, default: []].insert(id) }
            connections[id]?.watched = people
        }
    }

    /// Items of one send.
    private static let batch = 64

    private let state: SharedState
    private let open = LatestValue(0)
    private let lanes: FeedLanes<UInt64, ChatDelivery>

    /// The lanes' sends read the connections, so both share them.
    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    package init() {
        let state = SharedState()
        let gone = Gone()
        self.state = state
        lanes = FeedLanes(batch: Self.batch) { items, visit in
            guard let send = state.value.withLock({ $0.connections[visit.follower]?.send }) else { return }
            if await !send(items) { gone.tell(visit.follower) }
        }
        gone.set { [weak self] in self?.disconnect($0) }
    }

    /// Calls back into the connections, which are not made yet when the lanes are.
    private final class Gone: Sendable {
        private let body = Mutex<(@Sendable (UInt64) -> Void)?>(nil)

        func set(_ body: @escaping @Sendable (UInt64) -> Void) { self.body.withLock { $0 = body } }

        func tell(_ id: UInt64) { body.withLock(\.self)?(id) }
    }

    /// - Parameter send: Sends what waits, in its order; one call at a time.
    /// - Returns: The connection's number, for ``disconnect(_:)``.
    /// - Throws: ``ChatHubError/limitReached(_:)`` for too many of one person.
    package func connect(_ asker: ChatAsker, send: @escaping Send) throws(ChatHubError) -> UInt64 {
        let (id, isFirst) = state.value.withLock { state -> (UInt64?, Bool) in
            let count = state.ofPeople[asker.person]?.count ?? 0
            guard count < ChatHubLimits.connections else { return (nil, false) }
            state.number += 1
            state.connections[state.number] = Connection(asker: asker, send: send)
            state.ofPeople[asker.person, default: []].insert(state.number)
            return (state.number, count == 0)
        }
        guard let id else { throw .limitReached(ChatHubLimits.connections) }
        open.update { $0 = count }
        if isFirst { tellPresence(of: asker.person, isOnline: true) }
        return id
    }

    package func disconnect(_ id: UInt64) {
        let person = state.value.withLock { state -> UserID? in
            state.watch([], by: id)
            guard let person = state.connections.removeValue(forKey: id)?.asker.person else { return nil }
            state.ofPeople[person]?.remove(id)
            guard state.ofPeople[person]?.isEmpty == true else { return nil }
            state.ofPeople[person] = nil
            return person
        }
        lanes.remove(id)
        open.update { $0 = count }
        if let person { tellPresence(of: person, isOnline: false) }
    }

    /// Ends all that a person has.
    package func disconnectAll(of person: UserID) {
        for id in state.value.withLock({ $0.ofPeople[person] ?? [] }) { disconnect(id) }
    }

    /// Puts pushes into the lanes of the people's connections, in their order. Never waits.
    package func deliver(_ pushes: [ChatPush]) {
        // Looked up for all of a commit at once; what waits in the lanes is in their order all the same.
        let due = state.value.withLock { state in
            var due: [(id: UInt64, push: ChatPush)] = []
            for push in pushes {
                for id in state.ofPeople[push.person] ?? [] {
                    if let origin = push.origin, state.connections[id]?.asker.device == origin { continue }
                    due.append((id, push))
                }
            }
            return due
        }
        for (id, push) in due { add(.push(push), to: id) }
    }

    private func add(_ item: ChatDelivery, to id: UInt64) {
        guard lanes.add(item, to: id, limit: ChatHubLimits.waiting) != nil else { return }
        Counter(label: "chat_pushes_dropped").increment(by: ChatHubLimits.waiting)
        lanes.remove(id)
        lanes.add(.resync, to: id, limit: ChatHubLimits.waiting)
    }

    // MARK: Presence

    package func isOnline(_ person: UserID) -> Bool { state.value.withLock { $0.ofPeople[person] != nil } }

    /// The devices that a person is connected with, in their order.
    package func devices(of person: UserID) -> [String] {
        state.value.withLock { state in
            Set((state.ofPeople[person] ?? []).compactMap { state.connections[$0]?.asker.device }).sorted()
        }
    }

    /// Follows the presence of these people, and of no others any more.
    package func watch(_ people: Set<UserID>, by id: UInt64) { state.value.withLock { $0.watch(people, by: id) } }

    private func tellPresence(of person: UserID, isOnline: Bool) {
        let watchers = state.value.withLock { state in
            (state.watchers[person] ?? []).compactMap { id in state.connections[id].map { (id, $0.asker.person) } }
        }
        for (id, watcher) in watchers {
            add(.push(ChatPush(person: watcher, change: .presence(person, isOnline: isOnline))), to: id)
        }
    }

    package var count: Int { state.value.withLock(\.connections.count) }

    /// The number of connections, now and after each change.
    package func counts() -> AsyncStream<Int> { open.values() }

    /// Returns once no send is under way.
    package func close() async { await lanes.close() }
}
