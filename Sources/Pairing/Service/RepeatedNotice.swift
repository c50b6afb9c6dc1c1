import Foundation

/// Counts what a stranger can cause as often as it likes, so that it is worth one line of the log a second.
struct RepeatedNotice: Sendable {
    private(set) var count = 0
    private var saidAt: Date?

    /// It happened once more.
    mutating func note() { count += 1 }

    /// How often it happened since it was last said; nil while there is nothing to say, or it was said this second.
    mutating func due(now: Date) -> Int? {
        guard count > 0, saidAt.map({ abs(now.timeIntervalSince($0)) >= 1 }) ?? true else { return nil }
        defer { count = 0 }
        saidAt = now
        return count
    }
}
