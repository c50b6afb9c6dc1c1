/// The reason why a migration's transfer stopped or did not begin. The description is shown to the person: what happened, then what to do.
public enum MigrationTransferError: Error, Hashable, Sendable {
    /// Bytes of the peer that are no frame, or a message without what its type needs. `what` names the rule, never the contents.
    case malformedMessage(what: String)
    /// A message that its sender may not send now.
    case unexpectedMessage(type: String)
    case messageTooLarge(bytes: Int, limit: Int)
    /// Both devices are the old one, or both the new one.
    case sameRole
    case unsupportedProtocol(theirs: Int, ours: Int)
    /// The peer's data has a newer schema than this program can read.
    case needsAppUpdate(theirs: Int, ours: Int)
    /// The old phone's data has a schema that the new one no longer reads.
    case dataTooOld(theirs: Int, oldest: Int)
    case wrongPIN(attemptsLeft: Int)
    case pinExpired
    /// The peer sent its PIN in clear, as the first version did.
    case legacyPINRefused
    /// The peer did not prove that it knows the PIN, the code's secret or the earlier session: an attacker may be in between.
    case peerNotProven
    case malformedCode
    /// What was typed is not six digits.
    case malformedPIN
    /// A chunk arrived damaged three times.
    case linkCorrupt(chunk: Int)
    case linkLost
    case diskFull(neededBytes: Int64)
    /// The package that the peer offers to go on with is not the one that was begun.
    case differentPackage
    /// The record of what was received is damaged in front of its end.
    case damagedJournal
    case cancelled(byPeer: Bool)
    /// The address of the other phone is none, or nothing can listen at this one's. `what` is the address as it was given.
    case badAddress(what: String)
    /// The hub in whose room the phones meet does not answer this one.
    case hubUnreachable(hub: String)
    /// The hub is of an earlier version, or another program, and passes on no frames of bytes.
    case hubCarriesNoMoves(hub: String)
}
