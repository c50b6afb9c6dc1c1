package import Foundation
import GRDB
import Kernel
import Storage

/// The database of one generation.
package final class JournalStore: Sendable {
    private let pool: DatabasePool

    /// Opens `db.sqlite` in the folder of a generation and makes it where it is missing. Waits for the disk.
    ///
    /// - Throws: `StateDatabaseError`.
    package init(generation: URL) throws {
        pool = try StateDatabase.open(
            generation.appending(path: Self.fileName),
            schema: JournalTables.schema
        )
    }

    /// The name of the database in a generation's folder.
    package static let fileName = "db.sqlite"

    func read<Value: Sendable>(_ body: @escaping @Sendable (JournalReading) throws -> Value) async throws -> Value {
        do { return try await pool.read { try body(JournalReading($0)) } } catch { throw Self.told(error) }
    }

    /// In one transaction: what `body` throws undoes all of it.
    func write<Value: Sendable>(_ body: @escaping @Sendable (JournalWriting) throws -> Value) async throws -> Value {
        do { return try await pool.write { try body(JournalWriting($0)) } } catch { throw Self.told(error) }
    }

    /// Like ``write(_:)``, for a caller that has a thread of its own.
    func writeHere<Value>(_ body: (JournalWriting) throws -> Value) throws -> Value {
        do { return try pool.write { try body(JournalWriting($0)) } } catch { throw Self.told(error) }
    }

    /// Records that were written after a moment, in milliseconds since 1970, for a caller that has a thread of its own.
    package func changesHere(since moment: Int64) throws -> Int {
        do { return try pool.read { try JournalReading($0).changes(since: moment) } } catch { throw Self.told(error) }
    }

    /// SQLite's word for a connection that was closed is that somebody used it wrongly.
    private static func told(_ error: any Error) -> any Error {
        if let error = error as? DatabaseError, error.resultCode == .SQLITE_MISUSE { return JournalError.resting }
        return StorageError.telling(error)
    }

    /// Everything as it is at this moment, whatever is written afterwards.
    func snapshot() throws -> DatabaseSnapshot {
        do { return try pool.makeSnapshot() } catch { throw Self.told(error) }
    }

    /// Puts everything into the database's one file and closes it. Nothing can be read afterwards.
    package func close() throws {
        do {
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            try pool.close()
        } catch {
            throw StorageError.telling(error)
        }
    }
}
