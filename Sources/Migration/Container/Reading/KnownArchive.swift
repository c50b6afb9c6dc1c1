/// Parts of a package's archive that a sink has elsewhere, from an earlier reading: the package need not have them any more. For the thread that
/// reads.
public protocol KnownArchive: AnyObject {
    /// What is known, sorted and separate.
    var ranges: [Range<UInt64>] { get }

    /// The archive's bytes in `range`; nil where one of them is not known.
    func bytes(in range: Range<UInt64>) throws -> [UInt8]?
}
