/// Why a sealed package is not written or not opened. A wrong password, damage and a cut file are told apart: a person types again, copies
/// again, or waits for the rest.
public enum ContainerError: Error, Hashable, Sendable {
    /// The bytes do not begin like a package.
    case notAPackage
    /// A version, cipher, flag or segment size that this program does not know; the word names the field.
    case unsupported(String)
    /// Costs of the password's key outside the accepted limits; nothing was allocated for them.
    case unsupportedKDFParameters
    /// The password, or the session that the package was made for, is another one. Damage in the first 96 bytes looks the same: they salt
    /// the keys.
    case wrongPassword
    /// The package was sealed for a session between two devices, and no key of a session was given.
    case sessionNeeded
    /// The password is right and the header is damaged.
    case damagedHeader
    /// The segment, counted from 0, was changed, moved or taken from another package.
    case damagedSegment(UInt32)
    /// The package ends before its last segment.
    case truncated
    /// Bytes follow the last segment.
    case trailingData
    /// The package is longer than its format or the caller's limit allows.
    case tooLarge
    /// The password is too easy to guess.
    case weakPassword
    /// A caller's value has a wrong number of bytes, or lies outside the package.
    case invalidArgument(String)
    /// The sealed key of the media is damaged or belongs to another package.
    case damagedMasterKey
    /// The list of contents is not JSON of the documented shape.
    case malformedManifest
    case manifestTooLarge(limit: Int)
    /// The list of contents that came before the package says something else than the one inside.
    case manifestsDiffer
    /// The package's records have a newer shape.
    case needsAppUpdate(theirs: Int, ours: Int)
    case schemaTooOld(theirs: Int, minimum: Int)
    /// The device announced another version of the records than the package has.
    case schemaVersionsDiffer
    /// The archive lacks an entry of this name.
    case missingEntry(String)
    /// The archive has an entry where none of its kind may stand, or a file that is not listed.
    case unexpectedEntry(String)
    /// The records of the entry are no JSON array of objects.
    case malformedRecords(String)
    /// A record, or all of them together, take more bytes than a package may have of them.
    case recordsTooLarge(String)
    /// The archive has another number of the named things than its list of contents says.
    case countMismatch(String)
    /// The file has other bytes than the list of contents says.
    case damagedFile(String)
    /// The package as a whole has another checksum than announced; the word names which.
    case digestMismatch(String)
    /// What is packed is not what it was when the package was begun. The package cannot be gone on with: other bytes under its nonces would
    /// give its key away.
    case sourceChanged(String)
}
