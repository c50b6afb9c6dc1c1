package import Foundation
import GRDB
import Kernel
import Storage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Copies the files of a store beside a copy of its database: each blob that the copy names. A blob never changes, so on the same disk its file gets
/// a second name and takes no room.
package enum BlobBackup {
    private static let step = 1000

    /// Blocks.
    ///
    /// - Parameters:
    ///   - folder: The store's.
    ///   - copy: The store's folder in the backup.
    ///   - database: The copy, with the store's table. What has no file any more, and what is read once, is taken out of it: the next sweep removes
    ///     its row.
    ///   - kinds: The kinds that are not copied, because they are read once.
    package static func run(from folder: URL, to copy: URL, database: URL, without kinds: Set<String>) throws {
        let queue = try DatabaseQueue(path: database.path)
        defer { try? queue.close() }  // what was written is on disk by the end of its transaction
        let target = copy.appending(path: "objects")
        try StateFolder.makeClosedFolder(target)
        var last = ""
        while true {
            let rows = try queue.read { database in
                try database.rows(
                    """
                    SELECT id, key, kind, bytes, state FROM blobObject WHERE id > \(last)
                    ORDER BY id LIMIT \(step)
                    """
                ).map { row in
                    (
                        id: row["id"] as String,
                        key: (row["key"] as String?).flatMap(BlobKey.init), kind: row["kind"] as String,
                        bytes: row["bytes"] as Int64, isStored: row["state"] == "stored"
                    )
                }
            }
            guard let end = rows.last?.id else { break }
            last = end
            var missing: [String] = []
            for row in rows {
                guard row.isStored, !kinds.contains(row.kind), let key = row.key,
                    try place(key, from: folder, in: target, bytes: row.bytes)
                else {
                    missing.append(row.id)
                    continue
                }
            }
            let gone = missing
            try queue.write { database in
                for id in gone {
                    try database.run("UPDATE blobObject SET state = 'deleted' WHERE id = \(id)")
                }
            }
        }
        sync()
    }

    /// - Returns: Whether the whole file is there.
    private static func place(_ key: BlobKey, from folder: URL, in target: URL, bytes: Int64) throws -> Bool {
        let source = folder.appending(path: "objects/\(key)")
        let file = target.appending(path: "\(key)")
        var day = target
        for part in key.parts.dropLast() {
            day = day.appending(path: part)
            if !FileManager.default.fileExists(atPath: day.path) { try StateFolder.makeClosedFolder(day) }
        }
        if link(source.path, file.path) != 0 {
            switch errno {
            case ENOENT: return false
            case EEXIST: break
            // Another disk, or one without second names.
            default: try FileManager.default.copyItem(at: source, to: file)
            }
        }
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
        return size?.int64Value == bytes
    }
}
