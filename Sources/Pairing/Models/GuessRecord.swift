public import Foundation

/// The record of wrong typed codes. It is kept over restarts, which would otherwise give a guesser a fresh start.
public struct GuessRecord: Hashable, Codable, Sendable {
    /// Wrong codes of the last five minutes, oldest first.
    public var failures: [Date]
    /// The number of locks so far; each is twice as long as the one before.
    public var locks: Int
    /// The end of the lock of typed codes; nil when they are not locked.
    public var lockedUntil: Date?
    /// When the last wrong code was typed, or the last lock ended, whichever is later.
    public var quietSince: Date?

    public init(failures: [Date] = [], locks: Int = 0, lockedUntil: Date? = nil, quietSince: Date? = nil) {
        self.failures = failures
        self.locks = locks
        self.lockedUntil = lockedUntil
        self.quietSince = quietSince
    }

    enum CodingKeys: String, CodingKey {
        case failures, locks, lockedUntil, quietSince
    }
}
