public import Foundation
public import GRDB
package import Kernel
import Synchronization

/// The places that a feature of a role may write to.
public struct FeatureStorage: Sendable {
    /// The database with the feature's tables: its own where it asked for one, else the role's.
    public let database: any DatabaseWriter
    /// The role's own folder, for files of features that were there before each had a folder; nil in memory.
    package let state: StateFolder?
    private let makeFolder: @Sendable () throws -> URL

    package init(
        database: any DatabaseWriter,
        state: StateFolder?,
        folder: @escaping @Sendable () throws -> URL
    ) {
        self.database = database
        self.state = state
        makeFolder = folder
    }

    /// The feature's own folder, which no other user can read. Made when it is first asked for.
    ///
    /// - Throws: `StateFolderError` naming the folder that could not be made.
    public func folder() throws -> URL { try makeFolder() }
}

/// The storage of a role's features. It lasts as long as the role's state: a role that is made anew finds what is in memory again.
package final class FeatureStores: Sendable {
    /// A feature's own database. Its writer is its own: what writes much does not hold up the role's sessions and records.
    package struct Own: Sendable {
        package let database: any DatabaseWriter
        package let schema: Schema
        /// Nil in memory.
        package let url: URL?
    }

    private let state: StateFolder?
    private let shared: any DatabaseWriter
    private let opened = Mutex<[String: Own]>([:])
    /// The folders of a role in memory.
    private let temporary = Mutex<URL?>(nil)

    /// - Parameters:
    ///   - state: The role's folder; nil for one in memory.
    ///   - shared: The role's database.
    package init(_ state: StateFolder?, shared: any DatabaseWriter) {
        self.state = state
        self.shared = shared
    }

    deinit {
        // What is left behind is in the temporary folder.
        if let url = temporary.withLock(\.self) { try? FileManager.default.removeItem(at: url) }
    }

    /// - Parameters:
    ///   - name: The feature's, by which its folder and its database are called.
    ///   - migrations: The tables of a database of its own; empty for a feature that has its tables in the role's.
    /// - Throws: ``StateDatabaseError``, `StateFolderError`.
    package func storage(of name: String, own migrations: [Migration]) throws -> FeatureStorage {
        let database = migrations.isEmpty ? shared : try open(name, Schema(name, [migrations])).database
        return FeatureStorage(database: database, state: state) { [self] in try folder(of: name) }
    }

    /// The databases of their own that features have by now.
    package var own: [Own] { opened.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

    private func open(_ name: String, _ schema: Schema) throws -> Own {
        try opened.withLock { opened in
            if let known = opened[name] { return known }
            let own: Own
            if state == nil {
                own = Own(database: try StateDatabase.inMemory(schema: schema), schema: schema, url: nil)
            } else {
                let url = try folder(of: name).appending(path: "\(name).sqlite")
                own = Own(database: try StateDatabase.open(url, schema: schema), schema: schema, url: url)
            }
            opened[name] = own
            return own
        }
    }

    private func folder(of name: String) throws -> URL {
        if let state { return try state.featureFolder(name) }
        let root = try temporary.withLock { root in
            let url =
                root ?? FileManager.default.temporaryDirectory.appending(path: "tandem-features-\(UUID().uuidString)")
            try StateFolder.makeClosedFolder(url)
            root = url
            return url
        }
        let url = root.appending(path: name)
        try StateFolder.makeClosedFolder(url)
        return url
    }
}
