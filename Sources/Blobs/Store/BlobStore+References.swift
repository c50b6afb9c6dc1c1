package import GRDB
import Kernel

/// Places of the feature that name blobs. They are counted in the feature's own transactions, so that a message and its picture are kept both or
/// not at all.
extension BlobStore {
    /// Counts a place that names a blob from now on.
    ///
    /// - Parameter owner: The one whose blob it has to be; nil for anyone's.
    /// - Throws: ``BlobError/unknownObject`` also where it is on its way out, or another owner's; what the database says.
    package func retain(_ key: BlobKey, of owner: String? = nil, in database: Database) throws {
        try BlobTable.retain(key, of: owner, database)
    }

    /// Counts a place less. With the last one the blob is removed: its file goes once the transaction is on disk, never before. Does nothing for
    /// a blob that nothing names.
    ///
    /// - Throws: What the database says.
    package func release(_ key: BlobKey, in database: Database) throws {
        guard try BlobTable.release(key, database) else { return }
        database.afterNextTransaction { [care, self] _ in care.perform { self.removeDeletedFiles() } }
    }

    /// A blob that is in its place; nil where there is none.
    package func object(_ key: BlobKey, in database: Database) throws -> BlobObject? {
        try BlobTable.object(key, database)
    }
}
