import Foundation
import GRDB
import Storage

/// A database in a folder of its own, which can be opened again as after a restart.
struct TemporaryDatabase {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func open() throws -> DatabasePool { try StateDatabase.open(folder.appending(path: "tandem.sqlite")) }

    /// A leftover in the temporary folder harms nobody.
    func remove() { try? FileManager.default.removeItem(at: folder) }
}
