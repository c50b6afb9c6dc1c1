import Synchronization

/// Stores the record of wrong typed codes.
public protocol PairingGuessStore: Sendable {
    /// The record that was stored last; an empty one at first.
    var kept: GuessRecord { get }
    /// Stores the record. When this returns, a restart finds it.
    func keep(_ record: GuessRecord) async throws
}

/// Keeps the record for as long as the process runs.
public final class InMemoryPairingGuesses: PairingGuessStore {
    private let record = Mutex(GuessRecord())

    public init() {}

    public var kept: GuessRecord { record.withLock(\.self) }

    public func keep(_ record: GuessRecord) { self.record.withLock { $0 = record } }
}
