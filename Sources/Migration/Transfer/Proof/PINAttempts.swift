/// The life of one shown PIN: three tries and two minutes (rule #5). A try counts when it begins, so that cutting the link gives none back.
public struct PINAttempts: Hashable, Sendable {
    public static let maximum = 3
    public static let lifetime = Duration.seconds(120)

    public private(set) var left = maximum
    private let shownAt: ContinuousClock.Instant

    public init(shownAt: ContinuousClock.Instant) { self.shownAt = shownAt }

    /// - Throws: ``MigrationTransferError/pinExpired``, ``MigrationTransferError/wrongPIN(attemptsLeft:)`` with none left.
    public mutating func begin(at now: ContinuousClock.Instant) throws(MigrationTransferError) {
        guard now - shownAt < Self.lifetime else { throw .pinExpired }
        guard left > 0 else { throw .wrongPIN(attemptsLeft: 0) }
        left -= 1
    }
}
