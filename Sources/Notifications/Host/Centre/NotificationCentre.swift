import Foundation
import Kernel
import Logging
import Notifications

/// Decides, before a notification becomes a row, whether it does: programs that are switched off, floods, quiet hours, bounds.
actor NotificationCentre {
    /// The outcome of taking one notification.
    enum Outcome: Hashable, Sendable {
        /// - Parameter isCounted: It is one of many that the row stands for.
        case kept(NotificationRow, isCounted: Bool)
        /// It is one of many, and the row that stood for them was deleted, or is on its way to the disk.
        case counted
        /// Notifications are switched off.
        case disabled
        /// Its program is switched off.
        case denied
    }

    /// How often the count of a flood is written down, and the newest of many texts of one row.
    static let floodPace: Duration = .seconds(1)
    static let floodKey = "tandem.flood"
    /// Nanoseconds after which a flood makes room for others, where ``ProgramFloods/limit`` programs had one.
    private static let floodMemory: UInt64 = 3_600_000_000_000
    /// Rows that get another text once a second at a time. More are a flood like any other.
    static let pacedLimit = 256

    private let store: NotificationDatabase
    private let time: any TimeSource
    private let timeZone: @Sendable () -> TimeZone
    private let logger: Logger
    private var floods = ProgramFloods()
    /// How often a row may get another text, by the row's id.
    private var updates = ProgramFloods()
    /// How often other texts of its rows may alert, by program.
    private var alerts = ProgramFloods()
    /// Rows that get another text once a second at most, by their ids.
    private var paced: Set<String> = []
    /// The newest text of each row in ``paced`` that is not written down yet, by the row's id.
    private var waiting: [String: NewNotificationRow] = [:]
    /// Counts that are not written down yet, by program.
    private var counts: [String: Int] = [:]
    /// Programs whose counts are looked at each second.
    private var counting: Set<String> = []
    /// When the flood began that a program's row was last made for. At most ``ProgramFloods/limit``: names are the programs' claim.
    private var noted: [String: UInt64] = [:]
    private let tasks = OwnedTasks()

    init(
        store: NotificationDatabase,
        time: any TimeSource,
        timeZone: @escaping @Sendable () -> TimeZone,
        logger: Logger
    ) {
        self.store = store
        self.time = time
        self.timeZone = timeZone
        self.logger = logger
    }

    /// Returns when it is on the disk and on its way to phones. Of many texts of one row the newest is so within a second.
    ///
    /// - Throws: `StorageError`.
    func take(_ incoming: NewNotificationRow) async throws -> Outcome {
        let settings = store.settings
        guard settings.isEnabled else { return .disabled }
        var row = incoming.bounded
        guard row.program.isEmpty || store.isAllowed(row.program) else { return .denied }
        row.isSilenced = isSilenced(row.priority, respectsQuietHours: row.respectsQuietHours, settings)
        if let earlier = try await store.earlier(row),
            paced.contains(earlier.notification.id) || paced.count < Self.pacedLimit
        {
            return try await update(earlier, to: row)
        }
        switch floods.take(row.program, now: time.ticks) {
        case .passes: break
        case .counted(let count, let since): return try await note(count, since: since, of: row)
        }
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

    /// Writes down what waits, and takes nothing from then on.
    func close() async {
        await tasks.end()
        for id in waiting.keys.sorted() { await writeWaiting(id) }
    }

    private func write(_ row: NewNotificationRow, isCounted: Bool) async throws -> Outcome {
        let outcome = try await store.write(.add(row))
        guard let kept = outcome.changes.first?.row else { return isCounted ? .counted : .denied }
        return .kept(kept, isCounted: isCounted)
    }

    // MARK: Texts of one row

    /// A row that gets another text is no flood, since it is one row: progress keeps no other notification of its program away, and its last
    /// text always counts. It alerts again where the texts of its program did not do so too often, which takes nothing from its other ones.
    private func update(_ earlier: NotificationRow, to new: NewNotificationRow) async throws -> Outcome {
        let id = earlier.notification.id
        var row = new
        row.replaces = id
        row.isUpdate =
            row.progress != nil || row.priority == .low || !alerts.passes(row.program, now: time.ticks)
        guard paced.contains(id) || !updates.passes(id, now: time.ticks) else {
            return try await write(row, isCounted: false)
        }
        if let before = waiting[id] { row.isUpdate = row.isUpdate && before.isUpdate }
        waiting[id] = row
        if paced.insert(id).inserted { tasks.add { await self.pace(id) } }
        var told = earlier
        (told.notification.title, told.notification.body) = (row.title, row.body)
        return .kept(told, isCounted: false)
    }

    private func pace(_ id: String) async {
        while await time.pause(for: Self.floodPace), waiting[id] != nil { await writeWaiting(id) }
        paced.remove(id)
    }

    private func writeWaiting(_ id: String) async {
        guard let row = waiting.removeValue(forKey: id) else { return }
        do {
            // One that was deleted meanwhile does not come back.
            if try await store.row(id, for: .owner) != nil { _ = try await store.write(.add(row)) }
        } catch {
            logger.error("a notification's last text was not written down", metadata: ["reason": "\(error)"])
        }
    }

    /// A notification takes no presses any more, so the text that waits for it offers none.
    func closed(_ id: String) {
        waiting[id]?.actions = []
        waiting[id]?.canReply = false
    }

    // MARK: Floods

    private func note(_ count: Int, since: UInt64, of row: NewNotificationRow) async throws -> Outcome {
        let program = row.program
        let begins = noted[program] != since && isRoomForFlood(of: program)
        if !begins {
            let known = try await store.row(key: Self.floodKey, of: program)
            // Written down once a second, whatever comes meanwhile.
            if counting.contains(program) {
                counts[program] = max(counts[program] ?? 0, count)
                return known.map { Outcome.kept($0, isCounted: true) } ?? .counted
            }
            // One that a person deleted does not come back in the same flood.
            guard known != nil else { return .counted }
        } else {
            // Before anything is awaited: more of this flood comes meanwhile.
            noted[program] = since
            counts[program] = nil
        }
        var counted = Self.counted(count, of: row)
        counted.isUpdate = !begins
        counted.onlyReplaces = !begins
        let isFirst = counting.insert(program).inserted
        do {
            let outcome = try await write(counted, isCounted: true)
            if isFirst { tasks.add { await self.count(row) } }
            return outcome
        } catch {
            // The next one tries again.
            if begins { noted[program] = nil }
            if isFirst {
                counting.remove(program)
                counts[program] = nil
            }
            throw error
        }
    }

    /// Each flood's row alerts once, so a program that changes its name for every notification must not begin another one each time: what
    /// finds no room is counted and has no row.
    private func isRoomForFlood(of program: String) -> Bool {
        if noted[program] != nil || noted.count < ProgramFloods.limit { return true }
        let now = time.ticks
        noted = noted.filter { now - $0.value < Self.floodMemory }
        return noted.count < ProgramFloods.limit
    }

    private func count(_ row: NewNotificationRow) async {
        while await time.pause(for: Self.floodPace) {
            guard let count = counts.removeValue(forKey: row.program) else { break }
            var counted = Self.counted(count, of: row)
            counted.isUpdate = true
            counted.onlyReplaces = true
            do {
                _ = try await store.write(.add(counted))
            } catch {
                logger.error("a count of notifications was not written down", metadata: ["reason": "\(error)"])
            }
        }
        counting.remove(row.program)
    }

    private static func counted(_ count: Int, of row: NewNotificationRow) -> NewNotificationRow {
        let program = row.program.isEmpty ? "this computer" : row.program
        return NewNotificationRow(
            title: "\(count) more from \(program)".cut(to: NotificationLimits.title),
            body: "It said too much at once, so these are only counted.",
            origin: row.origin,
            program: row.program,
            key: floodKey,
            isSilenced: row.isSilenced,
            isMirrored: row.isMirrored
        )
    }
}
