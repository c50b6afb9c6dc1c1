package import Foundation
package import GRDB

/// A role's one database. Every store of the role keeps its tables in it.
package enum StateDatabase {
    /// Opens the file, makes it when it is missing, and brings its tables up to date. What a write returned for survives a power cut.
    ///
    /// - Throws: ``StateDatabaseError``; it says which file and what to do.
    package static func open(_ url: URL, schema: Schema) throws -> DatabasePool {
        let pool = try open(url)
        do {
            try schema.apply(to: pool)
        } catch SchemaError.newer(let identifiers) {
            throw StateDatabaseError.newer(path: url.path, identifiers: identifiers)
        } catch {
            throw StateDatabaseError.cannotUpdate(path: url.path, reason: "\(StorageError.telling(error))")
        }
        return pool
    }

    /// A database with these tables in memory: for tests and for roles that keep nothing.
    package static func inMemory(schema: Schema) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try schema.apply(to: queue)
        return queue
    }

    private static func open(_ url: URL) throws -> DatabasePool {
        var configuration = Configuration()
        // A command that reads a backup, or a second connection, holds the file for moments only.
        configuration.busyMode = .timeout(5)
        let pool: DatabasePool
        let level: Int?
        do {
            try closeToOthers(url)
            pool = try DatabasePool(path: url.path, configuration: configuration)
            // The pool sets NORMAL while it opens, so this comes after; what is promised to a peer has to be on disk.
            level = try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                return try Int.fetchOne(database, sql: "PRAGMA synchronous")
            }
        } catch {
            throw StateDatabaseError.cannotOpen(path: url.path, reason: "\(error)")
        }
        guard level == synchronousFull else { throw StateDatabaseError.notDurable(path: url.path) }
        return pool
    }

    static let synchronousFull = 2

    /// Closes the database, its log and its index to other users: they show who talks to whom, and sessions' secrets. SQLite gives the other
    /// two the database's own mode when it makes them, so that file is there, and closed, before SQLite looks.
    private static func closeToOthers(_ url: URL) throws {
        let files = FileManager.default
        if !files.fileExists(atPath: url.path) { try makeClosedFile(url) }
        for path in [url.path, url.path + "-wal", url.path + "-shm"] where files.fileExists(atPath: path) {
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }

    static func makeClosedFile(_ url: URL) throws {
        let isMade = FileManager.default.createFile(
            atPath: url.path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade else { throw CocoaError(.fileWriteUnknown) }
    }
}

/// Why a role has no database. The description is shown to the person.
public enum StateDatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's reason, or the system's.
    case cannotOpen(path: String, reason: String)
    /// SQLite did not take `synchronous = FULL`: what is written could be lost at a power cut.
    case notDurable(path: String)
    /// A newer version of Tandem changed its tables in these steps.
    case newer(path: String, identifiers: [String])
    /// A step of the schema failed, and left nothing behind.
    case cannotUpdate(path: String, reason: String)
    /// A copy never takes the place of a file that is there.
    case copyExists(path: String)

    public var description: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "The database \(path) could not be opened: \(reason). Check the disk, or restore the file from a backup."
        case .notDurable(let path):
            "The database \(path) does not promise to keep what it is given. Put the state folder on a local disk."
        case .newer(let path, let identifiers):
            """
            The database \(path) was written by a newer version of Tandem (\(identifiers.joined(separator: ", "))), \
            so this version leaves it alone. Update Tandem on this device, then start it again.
            """
        case .cannotUpdate(let path, let reason):
            """
            The tables of the database \(path) could not be brought up to date: \(reason) Nothing in it was lost. \
            Mend that, then start Tandem again.
            """
        case .copyExists(let path):
            "There is a file at \(path) already, which a copy would replace. Name another file, or move that one away."
        }
    }
}
