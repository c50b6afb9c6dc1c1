import BridgeHost
import CommandClient
import CommandServer
import Files
import FilesHost
import Foundation
import GRDB
import LinuxFiles
import Logging
import NotificationsHost
import Pairing
import Rights
import SignalingServer
import Storage
import TandemDesktop
import TandemHub
import TandemPhone
import Terminal
import Testing

@Suite("The schemas of the roles", .timeLimit(.minutes(4)))
struct RoleSchemaTests {
    private static let phone = Schema.phone(with: .standard)

    /// Of a computer with all features that have tables.
    private static func desktop() throws -> Schema {
        let home = FileManager.default.temporaryDirectory.path
        let files = try LinuxFileAccess(folders: [home], home: home, trash: home)
        return .desktop(
            with: [
                .files(files), NotificationsSkill.maker { _ in .init() },
                BridgeFeature.maker(listening: nil),
            ]
        )
    }

    static func schemas() throws -> [Schema] { [.hub(), try desktop(), phone] }

    /// As an earlier version left it, which took the first few steps of an order.
    private func old(_ order: some Sequence<String>) throws -> DatabaseQueue {
        let database = try DatabaseQueue()
        try database.write { database in
            try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            for identifier in order {
                let step = try OldDatabase.step(identifier)
                try database.execute(sql: step.sql)
                try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [identifier])
                try database.execute(sql: step.row)
            }
        }
        return database
    }

    /// Each table's rows, of the columns that it has in `columns`.
    private func rows(_ database: DatabaseQueue, _ columns: [String: [String]]) throws -> [String: [Row]] {
        try database.read { database in
            var rows: [String: [Row]] = [:]
            for (table, names) in columns {
                let names = names.map { "\"\($0)\"" }.joined(separator: ", ")
                rows[table] = try Row.fetchAll(database, sql: "SELECT \(names) FROM \"\(table)\" ORDER BY 1, 2")
            }
            return rows
        }
    }

    private func columns(_ database: DatabaseQueue) throws -> [String: [String]] {
        try database.read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            )
            var columns: [String: [String]] = [:]
            for table in tables where table != "grdb_migrations" && table != "signalingCount" {
                columns[table] = try database.columns(in: table).map(\.name)
            }
            return columns
        }
    }

    /// Every table, index and trigger by name, each with its text in one line.
    private func objects(_ database: DatabaseQueue) throws -> [String: String] {
        try database.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    let text: String = row["sql"]
                    return (row["name"] as String, text.filter { !$0.isWhitespace && $0 != "\"" })
                }
            )
        }
    }

    @Test(
        "a database of any version before, however far that one came, opens with all its rows and the same tables",
        arguments: try schemas()
    )
    func old(schema: Schema) throws {
        let orders = try #require(OldDatabase.orders[schema.name])
        let fresh = try objects(StateDatabase.inMemory(schema: schema))
        for order in orders {
            for count in 0...order.count {
                let database = try old(order.prefix(count))
                let columns = try columns(database)
                let before = try rows(database, columns)
                #expect(before.values.allSatisfy { !$0.isEmpty })
                for _ in 0..<2 {
                    try schema.apply(to: database)
                    #expect(try rows(database, columns) == before, "\(order.prefix(count))")
                }
                let report = try StateDatabase.check(database, schema: schema)
                #expect(report.isSound && report.missing.isEmpty, "\(order.prefix(count))")
                #expect(try objects(database) == fresh, "\(order.prefix(count))")
            }
        }
    }

    @Test("old orders name every step that versions before wrote, and each role still has its own")
    func complete() throws {
        for schema in try Self.schemas() {
            for order in OldDatabase.orders[schema.name] ?? [] {
                #expect(Set(order).isSubset(of: schema.identifiers))
                #expect(Set(order).count == order.count)
            }
        }
    }

    @Test("stores read what versions before wrote")
    func stores() async throws {
        let order = try #require(OldDatabase.orders["desktop"]?.first)
        let desktop = try old(order)
        try Self.desktop().apply(to: desktop)
        let phone = try #require(try SQLitePairingStore<PairedPhone>(desktop).all().first)
        #expect(phone.name == "My iPhone")
        #expect(phone.allowedSkills == [.terminal, .fileRead, .fileWrite])
        #expect(phone.unsignedRights == [])
        #expect(try SQLitePairingGuesses(desktop).kept.locks == 3)
        #expect(try await SQLiteMailbox(desktop).count() == 3)
        let phoneOrder = try #require(OldDatabase.orders["phone"]?.first)
        let database = try old(phoneOrder)
        try Self.phone.apply(to: database)
        let computer = try #require(try SQLitePairingStore<PairedDesktop>(database).record("9f0c"))
        #expect(computer.lanSignalingURL == URL(string: "ws://192.168.7.20:9001"))
        #expect(computer.state == .unconfirmed)
        let command = try #require(try SQLiteOfflineCommandStore(database).all().first)
        #expect(command.method == "clipboard.set")
        #expect(command.status == .pending)
        #expect(command.retries == 2)
    }

    @Test("a folder that served one role opens for each other one")
    func neighbours() throws {
        let schemas = try Self.schemas()
        for first in schemas {
            for second in schemas {
                for third in schemas {
                    let database = try StateDatabase.inMemory(schema: first)
                    for schema in [second, third, first] {
                        try schema.apply(to: database)
                        #expect(try StateDatabase.check(database, schema: schema).isSound)
                    }
                }
            }
        }
    }

    @Test("the steps of one store need no other's tables, so that what another role left is never in their way")
    func alone() throws {
        for schema in try Self.schemas() {
            for family in schema.families {
                let steps = schema.migrations.filter { $0.identifier.hasPrefix(family + "-") }
                let own = Schema(family, [steps.filter { Int($0.identifier.dropFirst(family.count + 1)) != nil }])
                #expect(try StateDatabase.check(StateDatabase.inMemory(schema: own), schema: own).isSound)
            }
        }
    }

    @Test("each role refuses what a newer version of one of its own stores wrote")
    func newer() throws {
        for schema in try Self.schemas() {
            for family in schema.families {
                let database = try StateDatabase.inMemory(schema: schema)
                try database.write {
                    try $0.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: ["\(family)-99"])
                }
                #expect(throws: (any Error).self) { try schema.apply(to: database) }
            }
        }
    }
}
