import Foundation
import GRDB
import Testing

@testable import Storage

@Suite("State database", .timeLimit(.minutes(4)))
struct StateDatabaseTests {
    private func temporary() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString).sqlite")
    }

    private func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }

    @Test("what is written is on disk when the write returns: WAL and synchronous FULL, on every write connection")
    func durable() async throws {
        let url = temporary()
        defer { remove(url) }
        let pool = try StateDatabase.open(url, schema: [])
        for _ in 0..<3 {
            let (mode, level) = try await pool.write { database in
                (
                    try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                    try Int.fetchOne(database, sql: "PRAGMA synchronous")
                )
            }
            #expect(mode == "wal")
            #expect(level == StateDatabase.synchronousFull)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("no file of a database can be read by others, also where one was left open to them")
    func closedToOthers() async throws {
        let url = temporary()
        defer { remove(url) }
        let paths = ["", "-wal", "-shm"].map { url.path + $0 }
        func modes() throws -> [Int?] {
            try paths.map { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
        }
        let pool = try StateDatabase.open(url, schema: [])
        try await pool.write { try $0.execute(sql: "CREATE TABLE a (b)") }
        #expect(try modes() == [0o600, 0o600, 0o600])
        for path in paths { try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path) }
        let again = try StateDatabase.open(url, schema: [])
        #expect(try modes() == [0o600, 0o600, 0o600])
        try again.close()
        try pool.close()
    }

    @Test("a file that is no database is an error that names it, and stays as it was")
    func damaged() throws {
        let url = temporary()
        defer { remove(url) }
        let junk = Data(repeating: 0x41, count: 8192)
        try junk.write(to: url)
        #expect {
            try StateDatabase.open(url, schema: [])
        } throws: { error in
            guard case StateDatabaseError.cannotOpen(let path, _) = error else { return false }
            return path == url.path
        }
        #expect(try Data(contentsOf: url) == junk)
    }
}
