import Feed
import GRDB

/// Where a phone stands with a computer that counts its changes.
package struct NotificationPosition: Hashable, Sendable {
    /// Nil before the first answer.
    package var epoch: String?
    /// The last number that is on this phone's disk.
    package var after: Int64

    /// The last change that a person can have seen here; nil of a computer that does not count.
    var seen: Int64? { epoch == nil ? nil : after }
}

/// All that a phone notes about one computer's notifications.
struct NotificationCursor: Codable, FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "notificationCursor"

    let computer: String
    var epoch: String?
    var after: Int64 = 0
    /// Everything up to here was seen as it stood: an `alert` that is not above it was dealt with, also where its row has gone since.
    var settled: Int64 = 0
    /// The number of the present list: rows of an earlier list are gone once the list has come anew.
    var generation: Int64 = 0
    /// The list comes anew, and is not whole yet.
    var isRebuilding = false
    /// The list that comes anew counts otherwise than the one before.
    var isForeign = false
    /// The number of the last event that the computer kept for this phone.
    var kept: Int64 = 0
    /// Counts what wants to be noticed of a computer that does not count.
    var alerts: Int64 = 0
    /// The latest `createdAt` that was ever here, by the computer's clock. Stays as it was while a list comes anew that counts otherwise.
    var newest: Int64 = 0

    /// This phone never had anything that the computer keeps.
    var isFirst: Bool { generation == 0 }

    var position: NotificationPosition { NotificationPosition(epoch: epoch, after: after) }

    /// - Returns: The relation of a change that was told. Until the list is whole its own pages bring everything.
    func relation(of change: FeedPosition) -> FeedRelation {
        guard let epoch, !isRebuilding else { return .gap }
        return FeedPosition(epoch: epoch, number: after).relation(of: change)
    }

    /// As it was written down; without anything where it was not.
    static func read(_ database: Database, _ computer: String) throws -> NotificationCursor {
        try fetchOne(database, key: computer) ?? NotificationCursor(computer: computer)
    }
}
