/// A file or a folder of an archive that is being read.
public struct ArchiveEntry: Hashable, Sendable {
    /// Safe to join to a folder.
    public let name: ArchiveName
    /// Bytes of the unpacked body; nil where the archive says them behind the body only.
    public let size: UInt64?
    /// Nil where the archive has the body in another form, or says only behind it how long it is.
    public let place: ArchivePlace?

    public var isFolder: Bool { name.isFolder }
}
