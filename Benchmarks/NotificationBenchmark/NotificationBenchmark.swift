import ArgumentParser
import CommandServer
import Commands
import Foundation
import GRDB
import Kernel
import Logging
import Notifications
import NotificationsHost
import Rights
import Storage

/// The history of a computer with a million notifications: pages, searches, a phone that catches up, and writes, beside a plain table of SQLite
/// with the same rows on the same disk.
@main
struct NotificationBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification-benchmark",
        abstract: "Measures the notifications of a computer."
    )

    @Option(help: "Rows of the history.")
    var rows = 1_000_000

    @Option(help: "Notifications that a phone catches up with.")
    var queued = 10_000

    @Option(help: "Pages of each kind.")
    var rounds = 100

    @Option(help: "Notifications that are written.")
    var writes = 10_000

    @Option(help: "Where the databases lie while it runs; nil: the system's temporary folder.")
    var folder: String?

    func run() async throws {
        let parent = folder.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        let home = parent.appending(path: "notification-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let schema: Schema = [NotificationTables.migrations]
        let ours = try StateDatabase.open(home.appending(path: "ours.sqlite"), schema: schema)
        let plain = PlainHistory(
            try StateDatabase.open(home.appending(path: "plain.sqlite"), schema: [PlainHistory.migrations])
        )
        try await fill(ours)
        try await plain.fill(rows: rows)
        let computer = try NotificationsSkill(
            .init(),
            database: ours,
            outlet: NoDevices(),
            announcements: Announcements(),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        )
        let phone = DirectPhone(computer, "phone")
        print("\(rows) rows; pages of 50, \(rounds) of each kind; milliseconds")
        try await pages(phone, plain)
        try await catchUp(phone, ours)
        try await write(computer, plain)
        await computer.close()
    }

    /// As the feature would have written them, in statements of ten thousand.
    private func fill(_ database: DatabasePool) async throws {
        var first = 1
        while first <= rows {
            let range = first...min(first + 9_999, rows)
            try await database.write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                        INSERT INTO notification
                            (alert, id, sequence, program, title, body, priority, isRead, origin, createdAt, changedAt, words)
                        SELECT i, printf('%08x-0000-4000-8000-%012x', i * 2654435761 % 4294967296, i), i,
                            'program ' || (i % 40), 'Message ' || i, 'from person ' || (i % 977) || ' about topic ' || (i % 7919),
                            'normal', i % 20 > 0, 'pc', ?, ?,
                            'Message ' || i || ' program ' || (i % 40) || ' from person ' || (i % 977) || ' about topic ' || (i % 7919)
                        FROM n
                        """,
                    arguments: [
                        range.lowerBound, range.upperBound, Date.now.millisecondsSince1970,
                        Date.now.millisecondsSince1970,
                    ]
                )
                try database.execute(sql: "UPDATE notification_state SET sequence = ?", arguments: [range.upperBound])
            }
            first = range.upperBound + 1
        }
        let settings = NotificationSettings(keeping: 1_000_000)
        let text = String(decoding: settings.wire.canonicalBytes, as: UTF8.self)
        try await database.write { database in
            try database.execute(sql: "UPDATE notification_state SET settings = ?", arguments: [text])
            try database.execute(sql: "ANALYZE")
        }
    }

    // MARK: Reading

    private func pages(_ phone: DirectPhone, _ plain: PlainHistory) async throws {
        let clock = ContinuousClock()
        func measure(_ name: String, goal: Bool = true, _ body: (Int) async throws -> Int) async throws -> Double {
            var times: [Duration] = []
            var found = 0
            for round in 0..<rounds {
                let start = clock.now
                found = try await body(round)
                times.append(clock.now - start)
            }
            let sorted = times.map { $0 / .milliseconds(1) }.sorted()
            let (half, most) = (sorted[sorted.count / 2], sorted[min(sorted.count - 1, sorted.count * 99 / 100)])
            let verdict = goal ? (most < 20 ? "  goal 20: met" : "  goal 20: MISSED") : ""
            print(
                String(
                    format: "%-34@ p50 %8.3f  p99 %8.3f  (%d rows)%@",
                    name as NSString,
                    half,
                    most,
                    found,
                    verdict as NSString
                )
            )
            return half
        }
        let all = try await phone.history(.init(limit: 1)).total
        let newest = try await measure("newest page") { _ in try await phone.history(.init()).notifications.count }
        let same = try await measure("  the same of a plain table", goal: false) { _ in
            try await plain.page(before: .max)
        }
        print(String(format: "  ratio %.2f", newest / same))
        var before: String?
        _ = try await measure("next pages, by the last row's id") { _ in
            let page = try await phone.history(.init(before: before))
            before = page.notifications.last?.id
            return page.notifications.count
        }
        for (name, offset) in [
            ("offset, a tenth", all / 10), ("offset, the half", all / 2), ("offset, the last page", all - 50),
        ] {
            let ours = try await measure(name) { _ in try await phone.history(.init(offset: offset)).notifications.count
            }
            let same = try await measure("  the same of a plain table", goal: false) { _ in
                try await plain.page(offset: offset)
            }
            print(String(format: "  ratio %.2f", ours / same))
        }
        _ = try await measure("unread") { _ in try await phone.history(.init(isUnreadOnly: true)).notifications.count }
        _ = try await measure("of one program") {
            try await phone.history(.init(program: "program \($0 % 40)")).notifications.count
        }
        _ = try await measure("search, a rare word") {
            try await phone.history(.init(text: "message \($0 * 31 + 1)")).notifications.count
        }
        _ = try await measure("search, a word of all") { _ in
            try await phone.history(.init(text: "message")).notifications.count
        }
        _ = try await measure("search, two frequent words") {
            try await phone.history(.init(text: "person \($0 % 977) topic")).notifications.count
        }
    }

    // MARK: Catching up

    private func catchUp(_ phone: DirectPhone, _ database: DatabasePool) async throws {
        let clock = ContinuousClock()
        // It was here when the rest had not been said yet.
        let epoch = try await phone.sync(.init(epoch: nil, after: 0, limit: 1)).epoch
        var after = Int64(rows - queued)
        var count = 0
        let start = clock.now
        while true {
            let page = try await phone.sync(.init(epoch: epoch, after: after, limit: 500))
            count += page.changes.count
            after = page.reached
            if !page.hasMore { break }
        }
        _ = try await phone.sync(.init(epoch: epoch, after: after, limit: 500))
        let seconds = (clock.now - start) / .seconds(1)
        let rate = Double(count) / seconds
        print(
            String(
                format: "a phone catches up with %d: %.0f a second%@",
                count,
                rate,
                rate >= 5000 ? "  goal 5000: met" : "  goal 5000: MISSED"
            )
        )
    }

    // MARK: Writing

    /// Many senders at one time, as they are; each waits until its own is on the disk.
    private func write(_ computer: NotificationsSkill, _ plain: PlainHistory) async throws {
        let clock = ContinuousClock()
        let (senders, count) = (256, writes)
        let start = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<count / senders {
                        // A sender may say twenty at once.
                        let phone = DirectPhone(computer, "sender \(sender) \(number / 10)")
                        _ = try await phone.call(
                            NotificationMethods.send,
                            NewNotification(
                                title: "Message \(number)",
                                body: "from person \(sender) about topic \(number)"
                            )
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
        let done = count / senders * senders
        let ours = Double(done) / ((clock.now - start) / .seconds(1))
        let begun = clock.now
        try await plain.write(done, by: senders)
        let same = Double(done) / ((clock.now - begun) / .seconds(1))
        print(
            String(
                format: "writes by %d senders: %.0f a second; a plain table in groups: %.0f; ratio %.2f",
                senders,
                ours,
                same,
                ours / same
            )
        )
    }
}

extension NotificationSettings {
    fileprivate init(keeping rows: Int) {
        self.init()
        historyRows = rows
        historyDays = 3650
    }
}

/// A phone's calls without anything in between, except that all that is said is JSON text on the way.
private struct DirectPhone: Peer {
    let id = "did:key:home"
    let isSealed = true
    private let methods: [RemoteMethod]
    private let caller: Caller

    init(_ computer: NotificationsSkill, _ name: String) {
        methods = computer.methods
        caller = Caller(id: "did:key:\(name)", name: name, proof: .session, rights: [.notification])
    }

    func history(_ query: NotificationHistoryQuery) async throws -> NotificationHistory {
        try await call(NotificationMethods.getHistory, query)
    }

    func sync(_ query: NotificationSyncQuery) async throws -> NotificationChanges {
        try await call(NotificationMethods.sync, query)
    }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        guard let served = methods.first(where: { $0.name == method }) else { throw RemoteError.malformedResult }
        let params = try JSONValue(parsing: params.canonicalBytes)
        return try JSONValue(parsing: try await served.run(RemoteParameters(params), caller).canonicalBytes)
    }

    func events() async throws -> AsyncStream<RemoteEvent> { AsyncStream { $0.finish() } }
    func reachability() async throws -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}

private struct NoDevices: DeviceOutlet {
    func devices(needing right: Right) -> [OutletDevice] { [] }

    func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        throw RemoteError.notConnected
    }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        throw RemoteError.notConnected
    }

    func keep(_ kind: EventKind, _ members: [String: JSONValue], replacing key: String?, for device: String)
        async throws
    {
        throw RemoteError.notConnected
    }
}

/// The same rows in a table with no index but its own, no counts, no full text.
private struct PlainHistory: Sendable {
    static let migrations = [
        Migration(
            "plain-1",
            sql: """
                CREATE TABLE plain (
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL, program TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL,
                    isRead INTEGER NOT NULL, createdAt INTEGER NOT NULL
                )
                """
        )
    ]

    private struct Write: Sendable {
        let title: String
        let body: String
    }

    private let database: DatabasePool
    private let writer: GroupWriter<Write, Void>

    init(_ database: DatabasePool) {
        self.database = database
        writer = GroupWriter(database, capacity: 4096) { write, database in
            try database.cachedStatement(
                sql: "INSERT INTO plain (id, program, title, body, isRead, createdAt) VALUES (?, ?, ?, ?, 0, ?)"
            ).execute(arguments: [
                UUID.randomText(), "program", write.title, write.body, Date.now.millisecondsSince1970,
            ])
        }
    }

    func fill(rows: Int) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO plain SELECT i, printf('%08x-0000-4000-8000-%012x', i * 2654435761 % 4294967296, i),
                        'program ' || (i % 40), 'Message ' || i, 'from person ' || (i % 977) || ' about topic ' || (i % 7919),
                        i % 20 > 0, 0 FROM n
                    """,
                arguments: [rows]
            )
        }
    }

    func page(before: Int64) async throws -> Int {
        try await rows("WHERE number < ? ORDER BY number DESC LIMIT 50", [before])
    }

    func page(offset: Int) async throws -> Int { try await rows("ORDER BY number DESC LIMIT 50 OFFSET ?", [offset]) }

    private func rows(_ end: String, _ arguments: StatementArguments) async throws -> Int {
        try await database.read { database in
            try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM plain \(end)"), arguments: arguments).count
        }
    }

    func write(_ count: Int, by senders: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { [writer] group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<count / senders {
                        try await writer.write(
                            Write(title: "Message \(number)", body: "from person \(sender) about topic \(number)")
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
