import GRDB
import Notifications
import Storage

/// How far phones have caught up, as calls inside of a transaction.
struct NotificationCursors {
    /// How long a phone may be away, in milliseconds, before it holds nothing up any more.
    static let patience: Int64 = 30 * 86_400_000
    /// Notifications that a phone which begins from the start gets for certain: the newest that it sees. More than a phone keeps of one
    /// computer.
    static let startLimit = 10_000
    /// How long a phone that asks for nothing new is not written down again, in milliseconds.
    private static let pace: Int64 = 60_000
    private static let passageLimit = 1000
    private static let deviceLimit = 256

    let database: Database
    let now: Int64

    struct State {
        var epoch: String
        var sequence: Int64
        var horizon: Int64
    }

    func state() throws -> State {
        let row = try database.row("SELECT epoch, sequence, horizon FROM notification_state")
        guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return State(epoch: row["epoch"], sequence: row["sequence"], horizon: row["horizon"])
    }

    /// Notes what a phone has. Its number holds where nothing was removed since that it does not know of.
    func acknowledge(
        _ device: String,
        _ epoch: String?,
        _ after: Int64,
        isLimited: Bool
    ) throws -> NotificationOutcome {
        let state = try state()
        let known = try database.row(
            "SELECT sequence, seenAt, isLost, isLimited FROM notification_cursor WHERE device = \(device)"
        )
        let (reached, seenAt): (Int64?, Int64?) = (known?["sequence"], known?["seenAt"])
        let goesOn =
            known != nil && known?["isLost"] == false && after >= reached ?? .max
            && seenAt ?? 0 > now - Self.patience
        let wasLimited: Bool = known?["isLimited"] ?? false
        let seesMore = wasLimited && !isLimited
        let isFromStart =
            try seesMore || epoch != state.epoch || after > state.sequence || (after < state.horizon && !goesOn)
            || !NotificationNumbers(database: database).canHaveTold(after)
        let start = isFromStart ? try self.start(of: device) : after
        // Before the phone's number is written down anew.
        let isKnown = epoch == state.epoch && after <= state.sequence
        // Notifications that it may see now and did not see before are no news.
        if seesMore, isKnown { try passOver(device, upTo: after) }
        let history = try seesMore && isKnown ? after : history(of: device, reached, isKnown: isKnown, after)
        // A phone that asks for nothing new costs no write.
        if !isFromStart, reached == start, known?["isLost"] == false, wasLimited == isLimited,
            now - (seenAt ?? 0) < Self.pace
        {
            return NotificationOutcome(after: start, history: history)
        }
        try database.run(
            "INSERT OR REPLACE INTO notification_cursor VALUES (\(device), \(start), \(now), 0, \(isLimited))"
        )
        if known == nil { try forgetOldest() }
        if !isFromStart, start > reached ?? -1 { try pass(device, start) }
        return NotificationOutcome(isFromStart: isFromStart, after: start, history: history)
    }

    // MARK: Where phones begin

    /// Notes the number at which a phone begins, once.
    func begin(_ device: String) throws {
        let sequence = try state().sequence
        try database.run(
            "INSERT OR IGNORE INTO notification_beginning VALUES (\(device), \(sequence), \(sequence))"
        )
    }

    private func passOver(_ device: String, upTo sequence: Int64) throws {
        try database.run(
            "UPDATE notification_beginning SET sequence = max(sequence, \(sequence)) WHERE device = \(device)"
        )
    }

    /// The last number that is no news for a phone: from before its pairing, or said to be on its disk once.
    ///
    /// - Parameter isKnown: Its number is this database's. Then what it says counts, but for a phone that was put back to an earlier state:
    ///   it said more before.
    /// - Returns: Nil where all that comes is news.
    private func history(of device: String, _ reached: Int64?, isKnown: Bool, _ after: Int64) throws -> Int64? {
        if isKnown, reached == nil {
            // A phone that is allowed again was here before: it begins where it stands, and gets what it missed.
            try database.run(
                "UPDATE notification_beginning SET sequence = min(sequence, \(after)) WHERE device = \(device)"
            )
            return nil
        }
        if !isKnown || after < reached ?? 0 {
            try passOver(device, upTo: reached ?? 0)
        }
        let noted: Int64? = try database.value("SELECT sequence FROM notification_beginning WHERE device = \(device)")
        guard isKnown else { return try noted ?? state().sequence }
        return noted.flatMap { after < $0 ? $0 : nil }
    }

    // MARK: What all have

    /// The number after which a phone that has nothing is told everything. Counted by what wanted to be noticed, not by changes: ten thousand
    /// tombstones, or old rows that were read, may come after the newest notification. No row's `sequence` is below its `alert`.
    private func start(of device: String) throws -> Int64 {
        try database.value(
            """
            SELECT alert FROM notification WHERE state < 2 AND device IN ('', \(device))
            ORDER BY alert DESC LIMIT 1 OFFSET \(Self.startLimit)
            """
        ) ?? 0
    }

    private func pass(_ device: String, _ sequence: Int64) throws {
        try database.run("INSERT OR IGNORE INTO notification_passage VALUES (\(device), \(sequence), \(now))")
        try database.run(
            """
            DELETE FROM notification_passage WHERE device = \(device) AND sequence <= (
                SELECT sequence FROM notification_passage WHERE device = \(device)
                ORDER BY sequence DESC LIMIT 1 OFFSET \(Self.passageLimit)
            )
            """
        )
    }

    private func forgetOldest() throws {
        try database.run(
            """
            DELETE FROM notification_cursor WHERE device IN (
                SELECT device FROM notification_cursor ORDER BY seenAt DESC LIMIT -1 OFFSET \(Self.deviceLimit)
            )
            """
        )
    }

    /// Whether a phone catches up that was here lately.
    func hasActive() throws -> Bool {
        try database.value("SELECT EXISTS (SELECT 1 FROM notification_cursor WHERE seenAt > \(now - Self.patience))")
            ?? false
    }

    /// The number that every phone that catches up has passed.
    func passed() throws -> Int64 {
        let lowest: Int64? = try database.value(
            "SELECT min(sequence) FROM notification_cursor WHERE seenAt > \(now - Self.patience)"
        )
        return try lowest ?? state().sequence
    }
}
