public import Kernel

extension MigrationTransferError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .malformedMessage: .kind(.refused, reason: "malformedMessage")
        case .unexpectedMessage: .kind(.refused, reason: "unexpectedMessage")
        case .messageTooLarge(let bytes, let limit):
            .kind(
                .tooLarge,
                reason: "messageTooLarge",
                ["bytes": .integer(Int64(bytes)), "limit": .integer(Int64(limit))]
            )
        case .sameRole: .kind(.badRequest, reason: "sameRole")
        case .unsupportedProtocol(let theirs, let ours), .needsAppUpdate(let theirs, let ours):
            .kind(
                .refused,
                reason: "needsAppUpdate",
                ["theirs": .integer(Int64(theirs)), "ours": .integer(Int64(ours))]
            )
        case .dataTooOld(let theirs, let oldest):
            .kind(
                .refused,
                reason: "dataTooOld",
                ["theirs": .integer(Int64(theirs)), "oldest": .integer(Int64(oldest))]
            )
        case .wrongPIN(let left): .kind(.notAllowed, reason: "wrongPIN", ["attemptsLeft": .integer(Int64(left))])
        case .pinExpired: .kind(.expired, reason: "pinExpired")
        case .legacyPINRefused: .kind(.refused, reason: "legacyPINRefused")
        case .peerNotProven: .kind(.notAllowed, reason: "peerNotProven")
        case .malformedCode: .kind(.badRequest, reason: "malformedCode")
        case .malformedPIN: .kind(.badRequest, reason: "malformedPIN")
        case .linkCorrupt: .kind(.refused, reason: "linkCorrupt")
        case .linkLost: .kind(.away, reason: "linkLost", isAbsence: true)
        case .diskFull(let needed): .kind(.full, reason: "diskFull", ["neededBytes": .integer(needed)])
        case .differentPackage: .kind(.refused, reason: "differentPackage")
        case .damagedJournal: .kind(.internal, reason: "damagedJournal")
        case .cancelled: .kind(.cancelled, reason: "cancelled")
        case .badAddress: .kind(.badRequest, reason: "badAddress")
        case .hubUnreachable(let hub):
            .kind(.away, reason: "hubUnreachable", ["hub": .string(hub)], isAbsence: true)
        case .hubCarriesNoMoves(let hub): .kind(.refused, reason: "hubCarriesNoMoves", ["hub": .string(hub)])
        }
    }

    public var description: String {
        switch self {
        case .malformedMessage(let what):
            "The other phone sent a message that cannot be read (\(what)). Update the app on both phones and try again."
        case .unexpectedMessage:
            "The other phone sent a message out of turn. Start the migration again on both phones."
        case .messageTooLarge(let bytes, let limit):
            "The other phone sent a message of \(bytes) bytes; \(limit) are allowed. Update the app on both phones."
        case .sameRole:
            "Both phones have the same role. Choose \u{201C}old phone\u{201D} on one and \u{201C}new phone\u{201D} on the other."
        case .unsupportedProtocol(let theirs, let ours):
            "The other phone speaks version \(theirs) of the migration, this one version \(ours). Update the older app."
        case .needsAppUpdate(let theirs, let ours):
            "The old phone's data has format \(theirs); this app reads up to \(ours). Update the app on the new phone."
        case .dataTooOld(let theirs, let oldest):
            "The old phone's data has format \(theirs); the new phone reads \(oldest) and later. Update the app on the old phone."
        case .wrongPIN(let left) where left > 0:
            "The PIN is not the one on the new phone's screen. Compare the six digits and type them again (\(left) left)."
        case .wrongPIN:
            "The PIN was wrong three times, so it no longer works. Use the new one on the new phone's screen."
        case .pinExpired:
            "The PIN was shown for two minutes and no longer works. Use the new one on the new phone's screen."
        case .legacyPINRefused:
            "The other phone's app sends the PIN unprotected. Update the app on that phone."
        case .peerNotProven:
            "The other phone could not be verified. Do not go on in this network; scan the new phone's code instead."
        case .malformedCode:
            "This is no migration code. Scan the code on the new phone's screen, or type its six digits."
        case .malformedPIN:
            "A PIN is six digits. Type the ones on the new phone's screen."
        case .linkCorrupt:
            "The connection damages data: one part arrived broken three times. Use another network or a cable, and go on."
        case .linkLost:
            "The connection to the other phone was lost. Keep both phones awake and near; what was received is kept."
        case .diskFull(let needed):
            "The new phone needs \(needed) more bytes of space. Free them, and go on; what was received is kept."
        case .differentPackage:
            "The old phone's data changed since the transfer began. The transfer starts from the beginning."
        case .damagedJournal:
            "The record of what was received is damaged on this phone. The transfer starts from the beginning."
        case .badAddress(let what):
            "No phone can be reached at \u{201C}\(what)\u{201D}. Give the address and the port that the other phone shows."
        case .hubUnreachable(let hub):
            "The hub \(hub) does not answer. Check both phones' connections to the internet; it is tried again by itself."
        case .hubCarriesNoMoves(let hub):
            """
            The hub \(hub) is of an earlier version or another program, and carries no moves. Update it, or bring both phones into \
            one network; what was received is kept.
            """
        case .cancelled(let byPeer):
            byPeer
                ? "The migration was cancelled on the other phone. Nothing was changed on either phone."
                : "The migration was cancelled. Nothing was changed on either phone."
        }
    }
}
