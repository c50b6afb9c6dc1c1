import Synchronization

/// Keeps what is remembered of wrong typed codes.
public protocol PairingGuessStore: Sendable {
    /// The record as it was kept last; an empty one at first.
    var kept: GuessRecord { get }
    /// When this returns, a restart finds the record.
    func keep(_ record: GuessRecord) async throws
}

/// Keeps it for as long as the process runs.
public final class InMemoryPairingGuesses: PairingGuessStore {
    private let record = Mutex(GuessRecord())

    public init() {}

    public var kept: GuessRecord { record.withLock(\.self) }

    public func keep(_ record: GuessRecord) { self.record.withLock { $0 = record } }
}
