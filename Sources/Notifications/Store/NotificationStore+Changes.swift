import Feed
import GRDB
import Kernel
import Storage

/// The outcome of applying an answer or events of a computer.
package struct NotificationApplied: Sendable {
    /// The next step towards the computer's list.
    package enum Next: Hashable, Sendable {
        /// Nothing is missing.
        case nothing
        /// There is more, or something is missing: ask from where the phone stands.
        case ask
    }

    package var news: NotificationNews
    package var next: Next
}

/// Applying answers and events of computers to the rows.
extension NotificationStore {
    package func position(of computer: String) async throws -> NotificationPosition {
        try await database.read { try NotificationCursor.read($0, computer).position }
    }

    /// Takes an answer to `notification.sync`.
    ///
    /// - Parameter asked: Where the phone stood when it asked. Events may have come since; what they told is not taken back.
    package func apply(
        _ answer: NotificationChanges,
        asked: NotificationPosition,
        from computer: String
    ) async throws -> NotificationApplied {
        try await database.write { [bounds] database in
            var rows = try NotificationRows(database, computer)
            let isFirst = rows.cursor.epoch == nil
            if answer.isFromStart || isFirst {
                guard rows.cursor.position == asked else {
                    return NotificationApplied(news: try rows.finish(), next: .ask)
                }
                rows.cursor.beginAnew(answer)
            } else if rows.cursor.epoch != answer.epoch || asked.epoch != answer.epoch {
                // It counts otherwise and does not say so, or answers an older question: ask from the beginning, or again.
                if asked == rows.cursor.position { rows.cursor.forgetPosition() }
                return NotificationApplied(news: try rows.finish(), next: .ask)
            } else if let history = answer.history {
                // This phone was put back to an earlier state: up to here it dealt with everything before.
                rows.cursor.settled = max(rows.cursor.settled, history)
            }
            let known = rows.cursor.after
            let isWhole = known == asked.after || answer.isFromStart || isFirst
            for change in answer.changes where change.sequence > known || answer.isFromStart {
                try rows.apply(change)
            }
            rows.cursor.after = max(known, answer.reached)
            // An answer that has more and reaches no further would be asked for without end.
            let isBehind = answer.hasMore && answer.reached > (isWhole && !answer.isFromStart ? known : -1)
            // Others may have gone on meanwhile: what this answer does not reach is theirs to settle.
            let isSettled = !isBehind && (answer.reached >= known || answer.isFromStart)
            if isSettled {
                try rows.endRebuilding()
                rows.cursor.settled = rows.cursor.after
                if isWhole { try rows.follow(unread: answer.unreadCount) }
            }
            try rows.trim(bounds, isBehind: !isSettled)
            return NotificationApplied(news: try rows.finish(), next: isBehind ? .ask : .nothing)
        }
    }

    /// Takes events of a computer that counts, in the order in which they came: those that go on from where the phone stands.
    package func apply(_ events: [NotificationEvent], from computer: String) async throws -> NotificationApplied {
        try await database.write { [bounds] database in
            var rows = try NotificationRows(database, computer)
            var next = NotificationApplied.Next.nothing
            for event in events {
                guard let epoch = event.epoch, let sequence = event.sequence else { continue }
                switch rows.cursor.relation(of: FeedPosition(epoch: epoch, number: sequence)) {
                case .known: continue
                case .gap:
                    next = .ask
                    continue
                case .next: break
                }
                // Before the row: whether it was dealt with is asked by the number before.
                let isSettled = rows.cursor.settled == rows.cursor.after
                try rows.apply(event.kind, sequence: sequence)
                rows.cursor.after = sequence
                if isSettled { rows.cursor.settled = sequence }
            }
            try rows.trim(bounds, isBehind: rows.cursor.settled < rows.cursor.after)
            return NotificationApplied(news: try rows.finish(), next: next)
        }
    }

    /// Takes an event of a computer that does not count. Each that gets here wants to be noticed.
    ///
    /// - Parameter number: The number of an event that the computer kept: taken once.
    func applyUncounted(
        _ event: NotificationEvent,
        number: UInt64?,
        from computer: String
    ) async throws -> NotificationNews {
        try await database.write { [bounds] database in
            var rows = try NotificationRows(database, computer)
            if let number = number.map({ Int64(clamping: $0) }) {
                guard number > rows.cursor.kept else { return try rows.finish() }
                rows.cursor.kept = number
            }
            switch event.kind {
            case .received(let notification):
                rows.cursor.alerts += 1
                try rows.put(notification.uncounted, alert: rows.cursor.alerts)
            case .changed(let notification): try rows.put(notification.uncounted, alert: nil)
            case .deleted(let id): try rows.remove(id)
            }
            try rows.trim(bounds, isBehind: false)
            return try rows.finish()
        }
    }

    /// The newest position of a row: rows behind it came after this moment.
    func newestPosition() async throws -> Int64 {
        try await database.read {
            try $0.value("SELECT MAX(position) FROM notificationInbox") ?? 0
        }
    }

    /// Takes the newest page of a history, of a computer that does not count.
    ///
    /// - Parameter newest: ``newestPosition()`` from before it was asked for: what came since is not in it.
    package func apply(
        _ history: NotificationHistory,
        newest: Int64,
        from computer: String
    ) async throws -> NotificationNews {
        try await database.write { [bounds] database in
            var rows = try NotificationRows(database, computer)
            let isFirst = rows.cursor.isFirst
            rows.cursor.generation = max(1, rows.cursor.generation)
            for notification in history.notifications.reversed() {
                let isKnown: Bool? = try database.value(
                    "SELECT 1 FROM notificationInbox WHERE computer = \(computer) AND id = \(notification.id)"
                )
                if isKnown == nil { rows.cursor.alerts += 1 }
                try rows.put(
                    notification.uncounted,
                    alert: isKnown == nil ? rows.cursor.alerts : nil,
                    isHistory: isFirst
                )
            }
            // Notifications that it has no more were deleted there. It says nothing about those that are older than this page.
            let oldest =
                history.total > history.notifications.count
                ? history.notifications.map(\.createdAt).min() ?? .max : Int64.min
            let ids = try JSONValue(encoding: history.notifications.map(\.id)).canonicalText
            try rows.removeAll(
                where: """
                    position <= \(newest) AND createdAt >= \(oldest)
                    AND id NOT IN (SELECT value FROM json_each(\(ids)))
                    """
            )
            try rows.trim(bounds, isBehind: false)
            return try rows.finish()
        }
    }
}

extension NotificationCursor {
    /// The list comes anew, from the beginning.
    fileprivate mutating func beginAnew(_ answer: NotificationChanges) {
        // A computer that was put back to an earlier state counts its old numbers once more, in the same epoch: it names a history, too.
        let countsOtherwise = epoch != answer.epoch || answer.history != nil
        isForeign = countsOtherwise || isForeign && isRebuilding
        if countsOtherwise {
            // Where it does not say what is history, all of the first list is: it counts as settled until it is whole.
            settled = answer.history ?? (isFirst || settled == .max ? .max : 0)
        }
        epoch = answer.epoch
        after = 0
        generation += 1
        isRebuilding = true
    }

    /// The next question is for everything. What is kept stays until the answer is whole.
    fileprivate mutating func forgetPosition() {
        epoch = nil
        after = 0
    }
}

extension NotificationRows {
    fileprivate mutating func apply(_ change: NotificationChanges.Change) throws {
        switch change {
        case .kept(let notification): try put(notification, alert: notification.alert ?? notification.sequence)
        case .deleted(let id, _): try remove(id)
        }
    }

    fileprivate mutating func apply(_ kind: NotificationEvent.Kind, sequence: Int64) throws {
        switch kind {
        case .received(var notification):
            notification.sequence = sequence
            try put(notification, alert: notification.alert ?? sequence)
        case .changed(var notification):
            notification.sequence = sequence
            try put(notification, alert: notification.alert)
        case .deleted(let id): try remove(id)
        }
    }

    fileprivate mutating func endRebuilding() throws {
        guard cursor.isRebuilding else { return }
        try removeEarlierGenerations()
        cursor.isRebuilding = false
        cursor.isForeign = false
    }
}

extension NotificationChanges.Change {
    fileprivate var sequence: Int64 {
        switch self {
        case .kept(let notification): notification.sequence ?? 0
        case .deleted(_, let sequence): sequence
        }
    }
}

extension RemoteNotification {
    /// A copy without numbers, which mean nothing where a computer does not number its changes.
    fileprivate var uncounted: RemoteNotification {
        var notification = self
        notification.sequence = nil
        notification.alert = nil
        notification.revision = nil
        return notification
    }
}
