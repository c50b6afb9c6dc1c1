package import Foundation
import GRDB
import Kernel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file system of this machine.
package struct SystemSwapFiles: SwapFiles {
    package init() {}

    package func exists(_ url: URL) throws -> Bool {
        var status = stat()
        if lstat(url.path, &status) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return false
    }

    package func move(_ url: URL, to target: URL) throws {
        guard rename(url.path, target.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    package func mark(_ url: URL) throws {
        guard try !exists(url) else { return }
        try DurableFiles.write([], to: url)
    }

    package func unmark(_ url: URL) throws {
        guard unlink(url.path) == 0 || errno == ENOENT else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    package func makeFolder(_ url: URL) throws { try StateFolder.makeClosedFolder(url) }

    package func sync(_ folder: URL) throws { try DurableFiles.sync(folder) }

    package func fold(_ database: URL) throws {
        let log = URL(fileURLWithPath: database.path + "-wal")
        guard try exists(database), try exists(log) else { return }
        let queue = try DatabaseQueue(path: database.path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try queue.close()
        // A log that stays would be taken for the one of the database that comes.
        guard try !exists(log) else {
            throw SectionError.inTheWay(name: database.lastPathComponent + "-wal")
        }
    }

    package func plan(in folder: URL) throws -> SwapPlan? { try SwapPlan.read(in: folder) }
    package func write(_ plan: SwapPlan, to folder: URL) throws { try plan.write(to: folder) }
}
