import Kernel

/// A kind of blobs, as the feature declares it that they belong to.
package struct BlobKind: Hashable, Sendable {
    /// What may be in a blob of this kind.
    package enum Content: Hashable, Sendable {
        /// Media of these types by their first bytes.
        ///
        /// - Parameter pixelLimit: Pixels of a picture at most; a picture whose header says no size is refused then. Nil: not looked at.
        case media(Set<MediaType>, pixelLimit: Int64? = nil)
        /// Anything, for example what is sealed. It is never shown in place.
        case opaque
    }

    /// The name that clients ask for it by, for example `chat_image`.
    package let name: String
    /// Where its keys begin, for example `chat/image`. No two kinds of a store share it.
    package let folder: String
    /// Bytes of one blob at most.
    package let byteLimit: Int64
    package let content: Content
    /// Whether a blob is read once and never by a signed address: only the feature opens it.
    package let isReadOnce: Bool

    /// - Parameters:
    ///   - folder: One to four names of small letters, digits and hyphens, with slashes in between. No underscores: clients write a key's slashes
    ///     as such in the names of their files.
    ///   - byteLimit: 1 or more.
    /// - Throws: ``BlobError/malformedKind(_:)``.
    package init(
        _ name: String,
        folder: String,
        byteLimit: Int64,
        content: Content,
        isReadOnce: Bool = false
    ) throws(BlobError) {
        guard (1...64).contains(name.utf8.count), name.hasOnlyLettersAndDigits(or: "_-"), byteLimit > 0,
            BlobKey.isFolder(folder)
        else { throw .malformedKind(name) }
        self.name = name
        self.folder = folder
        self.byteLimit = byteLimit
        self.content = content
        self.isReadOnce = isReadOnce
    }
}
