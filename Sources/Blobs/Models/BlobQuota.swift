/// What one owner may have in a store, each with what is on its way.
package struct BlobQuota: Hashable, Sendable {
    /// Bytes; those that an upload announced count from its beginning.
    package var bytes: Int64
    package var objects: Int
    /// Uploads under way at a time.
    package var uploads: Int

    package init(bytes: Int64 = 2 << 30, objects: Int = 20_000, uploads: Int = 16) {
        self.bytes = bytes
        self.objects = objects
        self.uploads = uploads
    }
}
