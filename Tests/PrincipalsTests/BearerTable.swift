import Kernel
import Principals
import Synchronization

/// A table in memory: inserts wait where a test says so, and everything fails where it says that.
final class BearerTable: BearerStore {
    typealias Holder = String

    struct Broken: Error {}

    private let state = Mutex<[String: BearerEntry<String>]>([:])
    /// The number of inserts that began.
    let begun = LatestValue(0)
    /// Whether inserts go on.
    let goesOn = LatestValue(true)
    let isBroken = LatestValue(false)

    /// The oldest first.
    var rows: [BearerEntry<String>] {
        state.withLock { Array($0.values) }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func insert(_ entry: BearerEntry<String>) async throws {
        begun.update { $0 += 1 }
        for await goesOn in goesOn.values() where goesOn { break }
        try write { $0[entry.id] = entry }
    }

    func update(_ entry: BearerEntry<String>) async throws {
        try write { rows in
            guard rows[entry.id] != nil else { return }
            rows[entry.id] = entry
        }
    }

    func remove(_ ids: [String]) async throws {
        try write { rows in
            for id in ids { rows[id] = nil }
        }
    }

    func removeAll() async throws { try write { $0 = [:] } }

    private func write(_ change: (inout [String: BearerEntry<String>]) -> Void) throws {
        guard !isBroken.value else { throw Broken() }
        state.withLock { change(&$0) }
    }
}
