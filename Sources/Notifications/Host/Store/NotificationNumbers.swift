import GRDB
import Storage

/// Keeps the numbers of changes apart that a database gave before it was restored from a copy, and after.
///
/// A copy keeps its `epoch`, so a phone that was further on than the copy would take new changes for ones that it has. The first program of
/// a database counts from 1. Each later one begins with numbers that none before it can have reached: above the milliseconds since 1970.
/// The numbers in between are no change's, and a phone that stands among them got there with a program that this database knows nothing of:
/// it begins from the start.
struct NotificationNumbers {
    /// Gaps that are remembered: one for each program. A phone among older ones has been away for longer than rows are kept for it.
    private static let limit = 1000
    /// A random addition to the first number of a run, in case the clock was set back.
    private static let spread: ClosedRange<Int64> = 1...1_000_000

    let database: Database

    /// Begins the numbers of one run. Called at the start of a program.
    ///
    /// - Parameter now: In milliseconds since 1970.
    func begin(now: Int64) throws {
        let sequence: Int64 = try database.value("SELECT sequence FROM notification_state") ?? 0
        let isFirst: Bool? = try database.value(
            """
            SELECT sequence = 0 AND NOT EXISTS (SELECT 1 FROM notification_gap)
                AND NOT EXISTS (SELECT 1 FROM notification_beginning) FROM notification_state
            """
        )
        guard isFirst == false else {
            // An empty gap, by which a copy from before the first number is known.
            return try database.run("INSERT INTO notification_gap VALUES (0, 1)")
        }
        let next = max(sequence, now) + Int64.random(in: Self.spread)
        try database.run("UPDATE notification_state SET sequence = \(next)")
        try database.run("INSERT OR REPLACE INTO notification_gap VALUES (\(sequence), \(next))")
        try database.run(
            """
            DELETE FROM notification_gap WHERE first <= (
                SELECT first FROM notification_gap ORDER BY first DESC LIMIT 1 OFFSET \(Self.limit)
            )
            """
        )
    }

    /// Whether this database can have told a phone that number.
    func canHaveTold(_ sequence: Int64) throws -> Bool {
        (try database.value("SELECT 1 FROM notification_gap WHERE first < \(sequence) AND last > \(sequence)") as Bool?)
            == nil
    }
}
