/// Why an archive is not read or written.
public enum ArchiveError: Error, Hashable, Sendable {
    /// A name that would leave the folder, or that not every system can hold; the word says what is wrong with it.
    case unsafeName(String, reason: NameFault)
    /// Two entries with one name, or with names that one file system holds apart and another does not.
    case nameCollision(String)
    /// The entry is a link, a device or anything but a file or a folder.
    case unsupportedEntry(String)
    case tooManyEntries(limit: Int)
    /// The entries unpack to more bytes than the limit.
    case tooLarge(limit: UInt64)
    /// The entry unpacks to more than the allowed multiple of its packed bytes.
    case suspiciousRatio(String)
    /// The entry has more or fewer bytes than it declares.
    case sizeMismatch(String)
    /// The bytes do not begin like an archive of the format.
    case notAnArchive
    /// The archive ends before its end.
    case truncated
    /// Bytes follow the archive's end.
    case trailingData
    /// Headers or bodies are not what the format allows, or a body does not have its checksum.
    case damaged
    /// The archive's directory lists other files than the archive holds.
    case directoryMismatch
    /// The entry needs a password of the archive's own, which no program of ours makes.
    case encrypted(String)
    /// A range or size that the format cannot hold.
    case invalidArgument(String)

    public enum NameFault: String, Hashable, Sendable {
        case empty
        /// Not UTF-8.
        case encoding
        case tooLong
        case absolute
        case parent
        case backslash
        case control
        case driveLetter
        case emptyComponent
    }
}
