import Foundation
import GRDB
import Testing

@testable import Storage

@Suite("Schemas", .timeLimit(.minutes(4)))
struct SchemaTests {
    private static let letters = [
        Migration("letters-1", sql: "CREATE TABLE letter (text TEXT NOT NULL)"),
        Migration("letters-2", sql: "ALTER TABLE letter ADD COLUMN size INTEGER NOT NULL DEFAULT 1"),
    ]
    private static let words = [Migration("words-1", sql: "CREATE TABLE word (text TEXT NOT NULL)")]
    private static let schema = Schema("test", [letters, words])

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // what is left is in a temporary folder
        try body(folder)
    }

    private func made(_ schema: Schema, at url: URL, _ sql: String) throws {
        let database = try StateDatabase.open(url, schema: schema)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    @Test("a step runs once for each database, also where a later list took its own first")
    func once() throws {
        try withFolder { folder in
            let url = folder.appending(path: "a.sqlite")
            try made(["words-1"], at: url, "INSERT INTO word VALUES ('one')")
            try made(["letters-1"], at: url, "INSERT INTO letter VALUES ('a')")
            for _ in 0..<2 {
                let database = try StateDatabase.open(url, schema: Self.schema)
                let texts = try database.read {
                    try String.fetchAll($0, sql: "SELECT text FROM word UNION ALL SELECT text || size FROM letter")
                }
                #expect(texts == ["one", "a1"])
                try database.close()
            }
        }
    }

    private func made(_ identifiers: Set<String>, at url: URL, _ sql: String) throws {
        let migrations = Self.schema.migrations.filter { identifiers.contains($0.identifier) }
        // As earlier versions did it: each store had a migrator of its own, which looked at its own steps only.
        var migrator = DatabaseMigrator()
        for migration in migrations { migrator.registerMigration(migration.identifier, migrate: migration.body) }
        let database = try DatabasePool(path: url.path)
        try migrator.migrate(database)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    @Test("a database of a newer version is left alone, and the person is told to update")
    func newer() throws {
        try withFolder { folder in
            let url = folder.appending(path: "a.sqlite")
            let later = Self.words + [Migration("words-2", sql: "CREATE TABLE later (a)")]
            let newer = Schema("test", [later])
            try made(newer, at: url, "INSERT INTO later VALUES (1)")
            let error = StateDatabaseError.newer(path: url.path, identifiers: ["words-2"])
            #expect(throws: error) { try StateDatabase.open(url, schema: Self.schema) }
            #expect(error.description.contains("Update Tandem on this device"))
            let report = try StateDatabase.check(url, schema: Self.schema)
            #expect(report.unknown == ["words-2"])
            #expect(report.applied == ["words-1"])
            #expect(report.missing == ["letters-1", "letters-2"])
            #expect(!report.isSound)
            // The version that wrote it goes on with it.
            try made(newer, at: url, "INSERT INTO later VALUES (2)")
        }
    }

    @Test("what another role or feature left in the folder is no newer version's, whatever it is called")
    func neighbours() throws {
        try withFolder { folder in
            let url = folder.appending(path: "a.sqlite")
            let other = Schema("other", [[Migration("elsewhere-7", sql: "CREATE TABLE elsewhere (a)")]])
            try made(other, at: url, "INSERT INTO elsewhere VALUES (5)")
            let database = try StateDatabase.open(url, schema: Self.schema)
            #expect(try database.read { try Int.fetchOne($0, sql: "SELECT a FROM elsewhere") } == 5)
            #expect(try StateDatabase.check(database, schema: Self.schema).isSound)
            #expect(other.families == ["elsewhere"])
        }
    }

    @Test("a step that fails leaves nothing behind, and runs when the next version mended it")
    func failing() throws {
        try withFolder { folder in
            let url = folder.appending(path: "a.sqlite")
            let sql = "INSERT INTO word VALUES ('kept')"
            try made(Schema("test", [Self.words]), at: url, sql)
            let bad = Migration("more-1", sql: "CREATE TABLE more (a); INSERT INTO nothing VALUES (1)")
            #expect {
                try StateDatabase.open(url, schema: Schema("test", [Self.words, [bad]]))
            } throws: { error in
                guard case StateDatabaseError.cannotUpdate(url.path, _) = error else { return false }
                return "\(error)".contains("Nothing in it was lost")
            }
            let good = Migration("more-1", sql: "CREATE TABLE more (a)")
            let database = try StateDatabase.open(url, schema: Schema("test", [Self.words, [good]]))
            #expect(try database.read { try String.fetchAll($0, sql: "SELECT text FROM word") } == ["kept"])
            #expect(try database.read { try $0.tableExists("more") })
        }
    }

    @Test("a report names the steps, and damage where there is some")
    func report() throws {
        try withFolder { folder in
            let url = folder.appending(path: "a.sqlite")
            try made(Self.schema, at: url, "INSERT INTO letter (text) VALUES (hex(randomblob(20000)))")
            let report = try StateDatabase.check(url, schema: Self.schema)
            #expect(report.schema == "test")
            #expect(report.applied == Self.schema.identifiers)
            #expect(report.missing == [])
            #expect(report.isSound)
            // Every page behind the first one is overwritten.
            let file = try FileHandle(forUpdating: url)
            let size = try file.seekToEnd()
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0x41, count: Int(size) - 4096))
            try file.close()
            do {
                let damaged = try StateDatabase.check(url, schema: Self.schema)
                #expect(!damaged.damage.isEmpty && damaged.damage.count <= 10)
                #expect(!damaged.isSound)
            } catch StateDatabaseError.cannotOpen(let path, _) {
                // SQLite may need the damaged page before it can look at any.
                #expect(path == url.path)
            }
        }
    }

    @Test("looking at a file that is not there makes none")
    func missing() throws {
        try withFolder { folder in
            let url = folder.appending(path: "a.sqlite")
            #expect(throws: StateDatabaseError.self) { try StateDatabase.check(url, schema: Self.schema) }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names == [])
        }
    }

    @Test("a database moves: its copy, made while the role runs, opens as a role's database with all that was written")
    func copying() throws {
        try withFolder { folder in
            let (url, copy) = (folder.appending(path: "a.sqlite"), folder.appending(path: "b.sqlite"))
            let database = try StateDatabase.open(url, schema: Self.schema)
            try database.write { try $0.execute(sql: "INSERT INTO word VALUES ('moved')") }
            #expect(try StateDatabase.check(url, schema: Self.schema).isSound)
            try StateDatabase.copy(database, to: copy)
            try database.write { try $0.execute(sql: "INSERT INTO word VALUES ('later')") }
            #expect(throws: StateDatabaseError.copyExists(path: copy.path)) {
                try StateDatabase.copy(database, to: copy)
            }
            #expect(try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int == 0o600)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.contains("unfinished") })
            let moved = try StateDatabase.open(copy, schema: Self.schema)
            #expect(try moved.read { try String.fetchAll($0, sql: "SELECT text FROM word") } == ["moved"])
            #expect(try StateDatabase.check(moved, schema: Self.schema).isSound)
        }
    }

    @Test("a copy that cannot be written is an error, and there is none")
    func copyingNowhere() throws {
        try withFolder { folder in
            let database = try StateDatabase.inMemory(schema: Self.schema)
            let copy = folder.appending(path: "missing/b.sqlite")
            #expect(throws: (any Error).self) { try StateDatabase.copy(database, to: copy) }
            #expect(!FileManager.default.fileExists(atPath: copy.path))
        }
    }
}
