/// The reason why pairing stopped. The description is shown to the person: what happened, then what to do.
public enum PairingError: Error, Hashable, Sendable, CustomStringConvertible {
    // Errors of a scanned code.
    case notAPairingCode
    case wrongKindOfCode(found: String)
    case codeNotSixDigits
    case missingDesktopID
    case damagedCode(field: String)
    case codeOfNewerProgram
    case codeExpired(ageSeconds: Int64)
    case codeFromTheFuture(aheadSeconds: Int64)
    case unsafeAddress(String)
    // Errors of a typed code.
    case codeHasOtherCharacters
    case wrongDigitCount(Int)
    // Errors of this device's setup.
    case noIdentity
    case noAddress
    // Errors of the connection.
    case unreachable([PairingAttempt])
    case deviceOffline(name: String)
    case codeNotShown
    case codeTakenDown
    case notSent(reason: String)
    case noAnswer(afterSeconds: Int64)
    case malformedMessage(type: String)
    // Decisions of the other side, or of the person there.
    case declined(name: String)
    case wrongCode
    case locked
    case busy
    case endToEndRequired
    case handshakeFailed
    case refused(reason: String)
    case tenDigitsNeeded
    // Decisions of this side.
    case keyChanged(name: String)
    case notEndToEnd(name: String)
    case shownCodeExpired
    case codeWithdrawn
    // Errors of the computer's requests.
    case unknownRequest
    case requestWithdrawn(name: String)
    case numbersDiffer
    case numberNeeded
    /// On the phone: its person did not say that the computer asked for the number.
    case numberUnconfirmed

    public var description: String {
        switch self {
        case .notAPairingCode:
            "This is not a pairing code. Scan the one under \"Pair a phone\" on the computer."
        case .wrongKindOfCode(let found):
            "This code is of another kind (\(found)). Scan the one that the other device shows for pairing."
        case .codeNotSixDigits:
            "A pairing code has six digits, and this one has not. Make a new code on the other device."
        case .missingDesktopID:
            "The code does not say which computer it is from. Make a new code on the computer."
        case .damagedCode(let field):
            "A part of the code is missing or damaged (\(field)). Make a new code on the other device."
        case .codeOfNewerProgram:
            "The code is from a newer program than this one. Update this device's, or type the digits instead."
        case .codeExpired(let age) where age < 3600:
            "The code is \(age / 60) min \(age % 60) s old by this device's clock; codes are valid for five minutes. Make a new one."
        case .codeExpired:
            "The code is more than an hour old, or the clocks differ. Check both clocks, then make a new code."
        case .codeFromTheFuture(let ahead):
            "The code is from \(ahead / 60) min in the future. Check the clocks of both devices, then make a new code."
        case .unsafeAddress(let address):
            "The code leads to \(address), where others could listen. Pair on the same network, or use a wss:// address."
        case .codeHasOtherCharacters:
            "A pairing code has digits only. Check the code on the computer and type it again."
        case .wrongDigitCount(let count):
            "A pairing code has ten digits, or six on older screens; this one has \(count). Type all of it."
        case .noIdentity:
            "This device has no identity yet. Set it up first, then pair."
        case .noAddress:
            "It is not known where to reach the computer. Scan its code, or set a hub."
        case .unreachable(let attempts):
            "The computer was not reached: "
                + attempts.map(\.description).joined(separator: "; ")
                + ". Check that both devices are online, then try again."
        case .deviceOffline(let name):
            "\(name) is not connected right now. Check that it is on and online, then try again."
        case .codeNotShown:
            "No computer shows this code. Check the digits, and that the code is still on its screen."
        case .codeTakenDown:
            "The computer took the code from its screen and did not answer. Look there: a program that only records the phone "
                + "is reached by scanning its code instead."
        case .notSent(let reason):
            "Nothing could be sent: \(reason) Check that this device is online, then try again."
        case .noAnswer(let seconds):
            "The other device did not answer within \(seconds) s. Look at its screen, then try again."
        case .malformedMessage(let type):
            "The other device sent a message that is not understood (\(type)). Update both devices and try again."
        case .declined(let name):
            "Pairing was declined at \(name). Ask the person there, then try again."
        case .wrongCode:
            "The code does not match, or someone may be interfering. Type the new digits that the computer shows."
        case .locked:
            "Too many wrong codes were typed. Wait a few minutes, or scan the code instead."
        case .busy:
            "The computer is busy with another pairing. Try again in a minute."
        case .endToEndRequired:
            "The other device pairs only with programs that can seal what they send. Update this one, or allow it there."
        case .handshakeFailed:
            "The other device could not be verified; someone may be interfering. Make a new code and try again."
        case .refused(let reason):
            "The other device refused (\(reason)). Make a new code and try again."
        case .tenDigitsNeeded:
            "The computer shows ten digits, and six of them are not enough. Type all ten."
        case .keyChanged(let name):
            "\(name) is known with another key. If it was set up anew, forget it and pair again; if not, do not go on."
        case .notEndToEnd(let name):
            "\(name) cannot seal what it sends, so others on the way could read it. Allow this only on a network you trust."
        case .shownCodeExpired:
            "The code has expired. Make a new one."
        case .codeWithdrawn:
            "The code was taken back. Make a new one."
        case .unknownRequest:
            "This pairing request is over. Ask for a new code and try again."
        case .requestWithdrawn(let name):
            "\(name) took its request back, so it is not paired. Show a new code if it is to be."
        case .numbersDiffer:
            "The numbers on the two screens differ: someone may be interfering. Make a new code and try again."
        case .numberNeeded:
            "The phone shows six digits: type them here, or name them with --number, so that nobody in between can answer for it."
        case .numberUnconfirmed:
            "Nobody said here that the computer asked for this number, so this phone keeps nothing. Look at the computer, and pair with its ten "
                + "digits or by scanning: then nobody in between can answer for it."
        }
    }
}
