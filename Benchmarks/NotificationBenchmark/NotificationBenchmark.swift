import ArgumentParser
import Foundation
import GRDB
import Kernel
import Notifications
import NotificationsHost
import Storage

/// The history of a computer with 100,000 notifications: pages, searches, a phone that catches up, and writes, beside a plain table of SQLite
/// with the same rows on the same disk.
@main
struct NotificationBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification-benchmark",
        abstract: "Measures the notifications of a computer."
    )

    @Option(help: "Rows of the history.")
    var rows = 100_000

    @Option(help: "Notifications that a phone catches up with.")
    var queued = 10_000

    @Option(help: "Pages of each kind.")
    var rounds = 100

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
        let computer = try DirectPhone.computer(ours)
        let phone = DirectPhone(computer, "phone")
        print("\(rows) rows; pages of 50, \(rounds) of each kind; milliseconds")
        try await pages(phone, plain)
        await computer.close()
        try await Writes(plain: plain).run(ours)
        try await Drain(queued: queued, home: home).run()
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
                try database.execute(
                    sql: """
                        INSERT INTO notification_words (rowid, words)
                        SELECT alert, words FROM notification WHERE alert BETWEEN ? AND ?
                        """,
                    arguments: [range.lowerBound, range.upperBound]
                )
                try database.execute(sql: "UPDATE notification_state SET sequence = ?", arguments: [range.upperBound])
            }
            first = range.upperBound + 1
        }
        let text = NotificationSettings(keeping: 1_000_000).text
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
            // The first finds nothing in memory.
            _ = try await body(0)
            for round in 0..<rounds {
                let start = clock.now
                found = try await body(round)
                times.append(clock.now - start)
            }
            let sorted = times.map { $0 / .milliseconds(1) }.sorted()
            let (half, most) = (sorted[sorted.count / 2], sorted[(sorted.count - 1) * 99 / 100])
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
        func search(_ name: String, _ query: (Int) -> NotificationHistoryQuery) async throws {
            _ = try await measure("search, \(name)") { try await phone.history(query($0)).notifications.count }
        }
        try await search("a rare word") { NotificationHistoryQuery(text: "message \($0 * 31 + 12)") }
        try await search("as a word of all is typed") {
            NotificationHistoryQuery(text: String("message".prefix(2 + $0 % 6)))
        }
        try await search("two frequent words") { NotificationHistoryQuery(text: "person \($0 % 977) topic") }
        try await search("two of all, two rare ones") {
            NotificationHistoryQuery(text: "program \($0 % 40) person \($0 * 7 % 977)")
        }
        try await search("words of all, in one program") {
            NotificationHistoryQuery(text: "from perso", program: "program \($0 % 40)")
        }
        try await search("a word of all, unread") { _ in NotificationHistoryQuery(isUnreadOnly: true, text: "messag") }
        try await search("a word of all, behind 900") { _ in NotificationHistoryQuery(offset: 900, text: "abou") }
    }
}
