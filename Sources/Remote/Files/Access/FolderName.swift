/// An entry of a folder, before anyone looked at it.
public struct FolderName: Hashable, Sendable {
    public var bytes: [UInt8]
    /// Nil when the file system does not tell.
    public var kind: FileKind?

    public init(bytes: [UInt8], kind: FileKind?) {
        self.bytes = bytes
        self.kind = kind
    }
}
