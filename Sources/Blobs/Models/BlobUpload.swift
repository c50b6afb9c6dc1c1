/// An upload, as its sender is told of it.
package struct BlobUpload: Hashable, Sendable {
    /// 26 letters and digits.
    package let id: String
    /// The name of its ``BlobKind``.
    package let kind: String
    /// Bytes of the whole.
    package let size: Int64
    /// Bytes that are on the disk for sure: where the sender goes on.
    package let offset: Int64
    /// The blob that it has become; nil until it is completed.
    package let key: BlobKey?
}
