/// A format that archives are read in. Neither is guessed: a hostile file would choose the parser.
public enum ArchiveFormat: Hashable, Sendable {
    /// Stored and deflated entries, zip64 and data descriptors; no encryption and no other compression.
    case zip
    /// ustar, pax and GNU's, without compression around it.
    case tar
}
