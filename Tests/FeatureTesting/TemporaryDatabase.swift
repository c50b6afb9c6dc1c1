package import Foundation
package import GRDB
package import Storage

/// A database in a folder of its own, which can be opened again as after a restart.
package struct TemporaryDatabase {
    package let folder: URL
    private let schema: Schema

    package init(_ schema: Schema) throws {
        self.schema = schema
        folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    package func open() throws -> DatabasePool {
        try StateDatabase.open(folder.appending(path: "tandem.sqlite"), schema: schema)
    }

    /// A leftover in the temporary folder harms nobody.
    package func remove() { try? FileManager.default.removeItem(at: folder) }
}
