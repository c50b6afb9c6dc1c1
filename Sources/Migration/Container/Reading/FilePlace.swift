import Archives

/// Where a file's bytes stand in a package's archive, which has them as they are. With ``lead`` in front of it the file is a part of the archive, byte
/// for byte.
public struct FilePlace: Hashable, Sendable {
    /// Where the file begins, in bytes from the archive's first one.
    public let offset: UInt64
    /// What stands in front of it, from the end of the entry before it on.
    public let lead: [UInt8]

    /// - Parameter lead: No more bytes than `offset`.
    public init(offset: UInt64, lead: [UInt8]) {
        self.offset = offset
        self.lead = lead
    }

    init(_ place: ArchivePlace) { self.init(offset: place.offset, lead: place.lead) }
}
