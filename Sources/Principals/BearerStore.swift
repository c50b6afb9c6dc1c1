/// The table of one kind of bearer secrets. What is written is on disk when a call returns.
package protocol BearerStore<Holder>: Sendable {
    associatedtype Holder: Hashable & Sendable

    func insert(_ entry: BearerEntry<Holder>) async throws
    /// Writes what changes of an entry: its secret, its successor, its visits. Of one that is not there nothing.
    func update(_ entry: BearerEntry<Holder>) async throws
    /// Those that are not there are gone already.
    func remove(_ ids: [String]) async throws
    func removeAll() async throws
}
