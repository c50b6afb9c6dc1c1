package import Foundation
import Kernel
import Synchronization

/// The bearer secrets of one kind: what opens, for whom, until when. Memory answers; the store is written behind each change.
package final class BearerSecrets<Holder: Hashable & Sendable>: Sendable {
    package typealias Entry = BearerEntry<Holder>

    private struct Slot {
        var entry: Entry
        /// The successor as the store knows it.
        var written: Entry.Successor?
        /// Whether a secret was turned and the store does not know yet.
        var isTurned = false
        /// Its number among all that were added.
        let number: UInt64
    }

    private struct State {
        var slots: [String: Slot] = [:]
        /// The ids of secrets and their successors.
        var ids: [SecretHash: String] = [:]
        var lastNumber: UInt64 = 0

        mutating func insert(_ entry: Entry) {
            lastNumber += 1
            slots[entry.id] = Slot(entry: entry, written: entry.successor, number: lastNumber)
            ids[entry.hash] = entry.id
            if let successor = entry.successor { ids[successor.hash] = entry.id }
        }

        mutating func remove(_ id: String) {
            guard let entry = slots.removeValue(forKey: id)?.entry else { return }
            ids[entry.hash] = nil
            if let successor = entry.successor { ids[successor.hash] = nil }
        }
    }

    private let store: any BearerStore<Holder>
    private let policy: BearerPolicy
    private let state: Mutex<State>
    private let openIDs: LatestValue<Set<String>>

    /// - Parameter kept: The entries that the store has, the oldest first.
    package init(_ kept: [Entry], store: any BearerStore<Holder>, policy: BearerPolicy) {
        var state = State()
        for entry in kept { state.insert(entry) }
        self.store = store
        self.policy = policy
        openIDs = LatestValue(Set(state.slots.keys))
        self.state = Mutex(state)
    }

    // MARK: Looking

    /// The oldest first.
    package var all: [Entry] {
        state.withLock { $0.slots.values.map(\.entry) }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    package subscript(id: String) -> Entry? { state.withLock { $0.slots[id]?.entry } }

    /// Whether an entry opens something now.
    package func isOpen(_ id: String, now: Date) -> Bool {
        self[id].map { !$0.isOver(at: now.millisecondsSince1970) } ?? false
    }

    /// The ids of all entries, now and after each change. One whose time is over counts until ``dropEnded(now:)``.
    package func open() -> AsyncStream<Set<String>> { openIDs.values() }

    /// Returns when an entry was taken back, was dropped or is over, or the caller is cancelled.
    package func ended(_ id: String) async {
        for await open in openIDs.values() where !open.contains(id) { return }
    }

    /// Finds the entry of a secret that was shown. A successor that is shown is the entry's secret from then on.
    ///
    /// - Returns: Nil for what is no secret, and for one that is over or was replaced.
    package func match(_ hash: SecretHash, now: Date) -> Entry? {
        let time = now.millisecondsSince1970
        return state.withLock { state in
            guard let id = state.ids[hash], let slot = state.slots[id], !slot.entry.isOver(at: time) else { return nil }
            guard let successor = slot.entry.successor else { return slot.entry }
            guard successor.hash == hash else {
                let overlap = policy.succession?.overlap.milliseconds ?? 0
                return time - successor.since > overlap ? nil : slot.entry
            }
            state.ids[slot.entry.hash] = nil
            state.slots[id]?.entry.hash = hash
            state.slots[id]?.entry.secretSince = successor.since
            state.slots[id]?.entry.successor = nil
            state.slots[id]?.isTurned = true
            return state.slots[id]?.entry
        }
    }

    // MARK: Changing

    /// Keeps a secret. It is on disk when this returns, or was taken back meanwhile and is not.
    ///
    /// - Parameters:
    ///   - lasting: Nil: until it is taken back.
    /// - Throws: ``BearerError/full(limit:)`` where the policy says so; what the store says: then the secret opens nothing, since it would be
    ///   gone after a restart, unexplained.
    @discardableResult
    package func add(
        _ hash: SecretHash,
        id: String,
        holder: Holder,
        lasting: Duration? = nil,
        now: Date
    ) async throws -> Entry {
        let time = now.millisecondsSince1970
        let endsAt = lasting.map { time + $0.milliseconds }
        let entry = Entry(id: id, holder: holder, hash: hash, createdAt: time, endsAt: endsAt)
        // In memory first: what takes it back while it is written finds it there.
        let isFull = state.withLock { state in
            if case .refuse = policy.whenFull, state.slots.count >= policy.limit { return true }
            state.insert(entry)
            return false
        }
        guard !isFull else { throw BearerError.full(limit: policy.limit) }
        tell()
        do {
            try await store.insert(entry)
        } catch {
            forget([id])
            throw error
        }
        var leaving: [String] = []
        if case .dropOldest = policy.whenFull { leaving = dropOldest() }
        // Its row may have been removed before it was there.
        if self[id] == nil, !leaving.contains(id) { leaving.append(id) }
        if !leaving.isEmpty { try await store.remove(leaving) }
        return entry
    }

    /// Makes another secret in the place of one that is old.
    ///
    /// - Returns: Nil where the secret is good for longer. One that was told before and not shown is forgotten. To be told once
    ///   ``note(_:from:now:)`` has returned.
    package func successor(of id: String, prefix: String = "", now: Date) -> Secret? {
        guard let succession = policy.succession else { return nil }
        let time = now.millisecondsSince1970
        let secret = Secret(prefix: prefix)
        let hash = secret.hash()
        let isDue = state.withLock { state in
            guard let entry = state.slots[id]?.entry, time - entry.secretSince >= succession.age.milliseconds else {
                return false
            }
            if let untold = entry.successor { state.ids[untold.hash] = nil }
            state.ids[hash] = id
            // A bearer that lost the answer asks again; its time counts from the first.
            state.slots[id]?.entry.successor = Entry.Successor(hash: hash, since: entry.successor?.since ?? time)
            state.slots[id]?.isTurned = true
            return true
        }
        return isDue ? secret : nil
    }

    /// Notes a visit, and what ``match(_:now:)`` and ``successor(of:prefix:now:)`` changed.
    ///
    /// - Throws: What the store says. A successor that is not on disk is taken back: it must not be told, and its time would end the secret
    ///   in use.
    package func note(_ id: String, from address: String?, now: Date) async throws {
        let time = now.millisecondsSince1970
        let changed: Entry? = state.withLock { state in
            guard let before = state.slots[id] else { return nil }
            state.slots[id]?.entry.lastSeenAt = time
            state.slots[id]?.entry.address = address
            let isRecent = before.entry.lastSeenAt.map { time - $0 < policy.visitInterval.milliseconds } ?? false
            return isRecent && before.entry.address == address && !before.isTurned ? nil : state.slots[id]?.entry
        }
        guard let changed else { return }
        do {
            try await store.update(changed)
        } catch {
            takeBack(changed)
            throw error
        }
        state.withLock { state in
            guard let entry = state.slots[id]?.entry else { return }
            state.slots[id]?.written = changed.successor
            // A secret that was turned meanwhile is written by another visit.
            if entry.hash == changed.hash, entry.successor?.hash == changed.successor?.hash {
                state.slots[id]?.isTurned = false
            }
        }
    }

    /// Takes a secret back: it opens nothing when this returns, whatever the store says.
    package func remove(_ id: String) async throws {
        forget([id])
        try await store.remove([id])
    }

    /// Takes all back: they open nothing when this returns, whatever the store says.
    ///
    /// - Returns: How many there were.
    package func removeAll() async throws -> Int {
        let count = state.withLock { state in
            defer { state = State() }
            return state.slots.count
        }
        tell()
        try await store.removeAll()
        return count
    }

    /// Lets go of those whose time is over. They open nothing before either; whoever waits for their end is told.
    package func dropEnded(now: Date) {
        let time = now.millisecondsSince1970
        forget(all.filter { $0.isOver(at: time) }.map(\.id))
    }

    // MARK: Parts

    /// - Returns: The ids of those that had to go.
    private func dropOldest() -> [String] {
        let leaving = state.withLock { state in
            let oldest = state.slots.sorted { $0.value.number < $1.value.number }.map(\.key)
            let leaving = Array(oldest.prefix(max(0, oldest.count - policy.limit)))
            for id in leaving { state.remove(id) }
            return leaving
        }
        tell()
        return leaving
    }

    private func forget(_ ids: [String]) {
        state.withLock { state in
            for id in ids { state.remove(id) }
        }
        tell()
    }

    /// Forgets a successor that could not be written, for the one that the store has.
    private func takeBack(_ changed: Entry) {
        state.withLock { state in
            guard let slot = state.slots[changed.id], let untold = changed.successor?.hash,
                slot.entry.successor?.hash == untold
            else { return }
            // The successor that the store has may have become the secret meanwhile.
            let written = slot.written.flatMap { $0.hash == slot.entry.hash ? nil : $0 }
            state.ids[untold] = nil
            if let written { state.ids[written.hash] = changed.id }
            state.slots[changed.id]?.entry.successor = written
        }
    }

    /// Tells the readers of ``open()``. The list is taken while they are told, so that the last to tell tells the newest.
    private func tell() {
        openIDs.update { ids in ids = state.withLock { Set($0.slots.keys) } }
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
