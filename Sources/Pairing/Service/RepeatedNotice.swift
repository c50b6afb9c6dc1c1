import Foundation

/// Counts an event that strangers can cause at will, so that the log gets at most one line a second.
struct RepeatedNotice: Sendable {
    private(set) var count = 0
    private var saidAt: Date?

    /// Counts one more event.
    mutating func note() { count += 1 }

    /// The number of events since the last report; nil while there are none, or less than a second after a report.
    mutating func due(now: Date) -> Int? {
        guard count > 0, saidAt.map({ abs(now.timeIntervalSince($0)) >= 1 }) ?? true else { return nil }
        defer { count = 0 }
        saidAt = now
        return count
    }
}
