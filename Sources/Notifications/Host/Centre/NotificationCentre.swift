import Foundation
import Kernel
import Logging
import Notifications

/// Decides what becomes of each notification before it is a row: programs that are switched off, floods, quiet hours, bounds.
actor NotificationCentre {
    /// What became of one.
    enum Outcome: Hashable, Sendable {
        /// - Parameter isCounted: It is one of many that the row stands for.
        case kept(NotificationRow, isCounted: Bool)
        /// Notifications are switched off.
        case disabled
        /// Its program is switched off.
        case denied
    }

    /// What belongs to one beside its texts.
    struct Circumstances: Hashable, Sendable {
        /// Of its row, where it replaces none; nil: a random one.
        var id: String?
        /// The row that it is another text of.
        var replaces: String?
        var actions: [NotificationAction] = []
        var canReply = false
        var image: [UInt8]?
        /// The only phone that it is for; empty: everyone.
        var device = ""
        /// The phone that it came from.
        var sender = ""
    }

    /// How often the count of a flood is written down.
    static let floodPace: Duration = .seconds(1)
    static let floodKey = "tandem.flood"

    private let store: NotificationStore
    private let time: any TimeSource
    private let timeZone: @Sendable () -> TimeZone
    private let logger: Logger
    private var floods = ProgramFloods()
    /// Counts that are not written down yet, by program.
    private var counts: [String: Int] = [:]
    private let tasks = OwnedTasks()

    init(
        store: NotificationStore,
        time: any TimeSource,
        timeZone: @escaping @Sendable () -> TimeZone,
        logger: Logger
    ) {
        self.store = store
        self.time = time
        self.timeZone = timeZone
        self.logger = logger
    }

    /// Returns when it is on the disk and on its way to phones.
    ///
    /// - Throws: `StorageError`.
    func take(_ incoming: IncomingNotification, _ circumstances: Circumstances = Circumstances()) async throws -> Outcome {
        let settings = store.settings
        guard settings.isEnabled else { return .disabled }
        var row = incoming.bounded
        guard row.program.isEmpty || store.isAllowed(row.program) else { return .denied }
        row.isSilenced = isSilenced(row.priority, respectsQuietHours: incoming.respectsQuietHours, settings)
        row.device = circumstances.device
        row.sender = circumstances.sender
        switch floods.take(row.program, now: time.ticks) {
        case .passes: break
        case .counted(let count, let begins): return try await note(count, begins: begins, of: row)
        }
        row.id = circumstances.id
        row.replaces = circumstances.replaces
        row.actions = Array(circumstances.actions.prefix(NotificationLimits.actions))
        row.canReply = circumstances.canReply
        row.image = circumstances.image.flatMap { $0.count <= NotificationLimits.image ? $0 : nil }
        return try await write(row, isCounted: false)
    }

    func isSilenced(
        _ priority: NotificationPriority,
        respectsQuietHours: Bool,
        _ settings: NotificationSettings
    ) -> Bool {
        guard respectsQuietHours, let hours = settings.quietHours else { return false }
        if priority == .urgent, settings.urgentPasses { return false }
        return hours.contains(time.date, in: timeZone())
    }

    func close() async { await tasks.end() }

    private func write(_ row: NewNotificationRow, isCounted: Bool) async throws -> Outcome {
        let outcome = try await store.write(.add(row))
        guard let kept = outcome.changes.first?.row else { return .denied }
        return .kept(kept, isCounted: isCounted)
    }

    // MARK: Floods

    private func note(_ count: Int, begins: Bool, of row: NewNotificationRow) async throws -> Outcome {
        let program = row.program
        var counted = Self.counted(count, of: row)
        counted.isUpdate = !begins
        if begins {
            let outcome = try await write(counted, isCounted: true)
            later(counted)
            return outcome
        }
        // Written down once a second, whatever comes meanwhile.
        counts[program] = count
        return .kept(try await standing(counted), isCounted: true)
    }

    /// The row as it will be: what is asked for must not wait a second for an answer.
    private func standing(_ counted: NewNotificationRow) async throws -> NotificationRow {
        if let row = try await store.row(key: Self.floodKey, of: counted.program) { return row }
        let outcome = try await store.write(.add(counted))
        guard let row = outcome.changes.first?.row else { throw NotificationsError.unknown(id: Self.floodKey) }
        return row
    }

    private func later(_ counted: NewNotificationRow) {
        tasks.add { [weak self, time] in
            while await time.pause(for: Self.floodPace) {
                guard await self?.writeCount(counted) == true else { return }
            }
        }
    }

    /// - Returns: False where nothing was counted for a while: the flood is over.
    private func writeCount(_ row: NewNotificationRow) async -> Bool {
        guard let count = counts.removeValue(forKey: row.program) else { return false }
        var counted = Self.counted(count, of: row)
        counted.isUpdate = true
        do {
            _ = try await store.write(.add(counted))
        } catch {
            logger.error("a count of notifications was not written down", metadata: ["reason": "\(error)"])
        }
        return true
    }

    private static func counted(_ count: Int, of row: NewNotificationRow) -> NewNotificationRow {
        let program = row.program.isEmpty ? "this computer" : row.program
        var counted = NewNotificationRow(
            title: "\(count) more from \(program)".cut(to: NotificationLimits.title),
            body: "It said too much at once, so these are only counted."
        )
        counted.program = row.program
        counted.key = floodKey
        counted.origin = row.origin
        counted.isSilenced = row.isSilenced
        return counted
    }
}
