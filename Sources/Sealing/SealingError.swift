/// The reason why something was not sealed, opened or believed. The description is shown to the person: what happened, then
/// what to do. It never contains a key, a code or a message.
public enum SealingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A text that should be a decentralised identifier is not one.
    case malformedDID
    /// A key, nonce or other fixed-size value has the wrong number of bytes.
    case wrongLength(of: String, expected: Int, actual: Int)
    /// A public key that would make the shared secret predictable.
    case weakKey
    /// The stored identity was cut short or changed.
    case damagedIdentity
    /// The stored identity was written by a later version.
    case unsupportedIdentity(version: UInt8)
    /// A handshake step was called out of turn, or with a key missing: a mistake of the caller.
    case handshakeOutOfOrder
    /// A handshake message that was cut short, changed, replayed, or made with other keys.
    case handshakeFailed
    /// A handshake message or record above the size that the protocol allows.
    case tooLong(bytes: Int, limit: Int)
    /// The other side did not prove that it owns the identity it claims.
    case identityNotProven
    /// The contents of a verified message do not have the documented form.
    case malformedContents(String)
    /// The codes typed and shown differ, or an attacker is in between.
    case wrongCode
    /// The value revealed is not the one committed to: an attacker is in between.
    case brokenCommitment
    /// The short numbers on the two screens differ: an attacker is in between.
    case numbersDiffer
    /// A record that was forged, changed or sealed with other keys. It had no effect.
    case recordRefused
    /// A record that arrived before, or so late that a replay cannot be ruled out.
    case recordRepeated
    /// A record of a key generation that is over or not due.
    case unknownGeneration(UInt32)
    /// The keys reached their usage limit and must not be used any more.
    case keysExhausted

    public var description: String {
        switch self {
        case .malformedDID:
            "The identifier is not a DID such as did:key:z6Mk…. Check where it was copied from."
        case .wrongLength(let name, let expected, let actual):
            "The \(name) has \(actual) bytes instead of \(expected). Update both devices and try again."
        case .weakKey:
            "The other device sent a key that protects nothing. Do not go on; pair again over a network you trust."
        case .damagedIdentity:
            "The stored identity of this device is damaged. Restore it from a backup, or remove it and pair again."
        case .unsupportedIdentity(let version):
            "The stored identity has format \(version), which is newer than this program. Update the program."
        case .handshakeOutOfOrder:
            "A step of the handshake was taken out of turn. Start again."
        case .handshakeFailed:
            "The handshake with the other device failed. Try again; if it goes on, pair the devices again."
        case .tooLong(let bytes, let limit):
            "A message of \(bytes) bytes is above the limit of \(limit). Send it in smaller parts."
        case .identityNotProven:
            "The other device did not prove who it is. Pair again, and check that no one else is on the network."
        case .malformedContents(let what):
            "The other device sent \(what) in a form that is not understood. Update both devices and try again."
        case .wrongCode:
            "The code does not match, or someone may be interfering. Show a new code and try again."
        case .brokenCommitment:
            "The other device changed its mind about a value it had promised: someone may be interfering. Try again."
        case .numbersDiffer:
            "The numbers on the two screens differ: someone may be interfering. Show a new code and try again."
        case .recordRefused:
            "A message could not be verified and was dropped."
        case .recordRepeated:
            "A message arrived a second time, or far too late, and was dropped."
        case .unknownGeneration(let generation):
            "A message was sealed with keys of generation \(generation), which are not in use. Connect again."
        case .keysExhausted:
            "This connection has carried all it safely can. Connect again."
        }
    }
}
