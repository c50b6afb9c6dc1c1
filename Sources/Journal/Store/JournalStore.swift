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
            schema: Schema("journal", [JournalTables.migrations])
        )
    }

    /// The name of the database in a generation's folder.
    package static let fileName = "db.sqlite"

    func read<Value: Sendable>(_ body: @escaping @Sendable (JournalReading) throws -> Value) async throws -> Value {
        do { return try await pool.read { try body(JournalReading($0)) } } catch { throw StorageError.telling(error) }
    }

    /// In one transaction: what `body` throws undoes all of it.
    func write<Value: Sendable>(_ body: @escaping @Sendable (JournalWriting) throws -> Value) async throws -> Value {
        do { return try await pool.write { try body(JournalWriting($0)) } } catch { throw StorageError.telling(error) }
    }

    /// Like ``write(_:)``, for a caller that has a thread of its own.
    func writeHere<Value>(_ body: (JournalWriting) throws -> Value) throws -> Value {
        do { return try pool.write { try body(JournalWriting($0)) } } catch { throw StorageError.telling(error) }
    }

    /// Everything as it is at this moment, whatever is written afterwards.
    func snapshot() throws -> DatabaseSnapshot {
        do { return try pool.makeSnapshot() } catch { throw StorageError.telling(error) }
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
