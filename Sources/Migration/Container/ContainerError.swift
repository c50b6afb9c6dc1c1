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
}
