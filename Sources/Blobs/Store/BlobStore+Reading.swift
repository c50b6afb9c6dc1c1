import GRDB
import Logging

/// Reading.
extension BlobStore {
    /// Opens a blob. It can be read to its end although it is removed meanwhile.
    ///
    /// - Throws: ``BlobError/unknownObject``.
    package func open(_ key: BlobKey) async throws -> OpenBlob {
        let (object, file) = try await telling { [table, disk, logger] in
            guard let object = try table.database.read({ try BlobTable.object(key, $0) }) else {
                throw BlobError.unknownObject
            }
            do {
                return (object, try disk.open(key))
            } catch {
                // Somebody tidied up in the folder, or its disk is not there.
                logger.error("the file of a blob cannot be opened", metadata: ["error": "\(error)"])
                throw BlobError.unknownObject
            }
        }
        return OpenBlob(object, isReadOnce: isReadOnce(object), file: file, work: work)
    }

    /// A blob that is in its place; nil where there is none.
    package func object(_ key: BlobKey) async throws -> BlobObject? {
        try await telling { [table] in try table.database.read { try BlobTable.object(key, $0) } }
    }

    /// Whether a blob is read once, and never by an address. One of a kind that the feature does not know any more is.
    package func isReadOnce(_ object: BlobObject) -> Bool { kinds[object.kind]?.isReadOnce ?? true }
}
