/// Where an entry's body stands in its archive as it is: that of a stored entry of a zip. Whoever keeps the body elsewhere can make this part of the
/// archive again.
public struct ArchivePlace: Hashable, Sendable {
    /// Where the body begins, in bytes from the archive's first one.
    public let offset: UInt64
    /// What stands in front of the body, from the end of the body before it on.
    public let lead: [UInt8]
}
