package import Transfers

/// An entry of a folder whose status was not read yet.
package struct FolderName: Hashable, Sendable {
    package var bytes: [UInt8]
    /// Nil when the file system does not tell.
    package var kind: FileKind?

    package init(bytes: [UInt8], kind: FileKind?) {
        self.bytes = bytes
        self.kind = kind
    }
}
