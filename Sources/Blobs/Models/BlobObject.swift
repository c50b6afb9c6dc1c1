package import Foundation

/// A blob that is whole and in its place.
package struct BlobObject: Hashable, Sendable {
    package let key: BlobKey
    /// The feature's name for the one whose quota it takes.
    package let owner: String
    /// The name of its ``BlobKind``.
    package let kind: String
    /// In bytes.
    package let size: Int64
    /// 32 bytes.
    package let sha256: [UInt8]
    /// Nil for an opaque kind.
    package let type: MediaType?
    /// Nil for what is no picture, and for a picture whose header says no size.
    package let pictureSize: PictureSize?
    /// The places of the feature that name it.
    package let references: Int
    /// When it got its place.
    package let createdAt: Date
}
