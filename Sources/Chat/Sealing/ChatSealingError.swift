public import Kernel

/// Why something of a sealed conversation was not made, believed or opened. The description is shown to the person: what happened, then what to do.
/// It never contains a key or a message.
public enum ChatSealingError: ClassifiedError, Hashable {
    /// A value does not have the documented form.
    ///
    /// - Parameter what: The member or the thing, for example `kid`; never its value.
    case malformed(_ what: String)
    /// Bytes, or elements of a list.
    case tooLarge(_ what: String, limit: Int)
    /// A signature that is not the named device's over these bytes.
    case badSignature
    /// A device that signs although it is not in the list that allows it.
    case notListed
    /// An entry that does not follow on the one before.
    case notContinuation
    /// A message that names a list of devices which is not known here.
    case unknownList
    /// A message that is sealed for other devices.
    case otherDevice
    /// What was signed and is for this device, and cannot be opened all the same.
    case damaged
    /// There is no device with a key in use to seal for.
    case nobodyToSealFor
    /// A key whose time of use is over, or lies in the future.
    case keyNotInUse
    /// Sealed bytes of another file, or another key's.
    case otherFile
    /// Sealed bytes that end too early, or go on behind their end.
    case wrongLength

    public var facts: FailureFacts {
        switch self {
        case .malformed: .kind(.badRequest, reason: "malformed")
        case .tooLarge(let what, let limit):
            .kind(.tooLarge, reason: "tooLarge", ["what": .string(what), "limit": .integer(Int64(limit))])
        case .badSignature: .kind(.refused, reason: "badSignature")
        case .notListed: .kind(.refused, reason: "notListed")
        case .notContinuation: .kind(.refused, reason: "notContinuation")
        case .unknownList: .kind(.notFound, reason: "unknownList")
        case .otherDevice: .kind(.notFound, reason: "otherDevice")
        case .damaged: .kind(.refused, reason: "damaged")
        case .nobodyToSealFor: .kind(.notFound, reason: "nobodyToSealFor")
        case .keyNotInUse: .kind(.expired, reason: "keyNotInUse")
        case .otherFile: .kind(.refused, reason: "otherFile")
        case .wrongLength: .kind(.refused, reason: "wrongLength")
        }
    }

    public var description: String {
        switch self {
        case .malformed(let what):
            "The hub handed over \(what) in a form that is not understood. Update both programs and try again."
        case .tooLarge(let what, let limit): "\(what) is larger than \(limit). Make it smaller."
        case .badSignature:
            "A signature is wrong: somebody on the way changed it. Ask the other person to send it again."
        case .notListed: "A device signed that is not one of this person's. Compare the safety number with them."
        case .notContinuation:
            "The list of this person's devices does not follow on what was seen before. Compare the safety number with them."
        case .unknownList: "The message names a list of devices that is not known here. Load the conversation again."
        case .otherDevice: "The message was sealed for other devices. Read it on one of these."
        case .damaged: "The message cannot be read. Ask the other person to send it again."
        case .nobodyToSealFor:
            "The other person has no device that sealed messages can be sent to. Ask them to open the program once."
        case .keyNotInUse: "A device's key is out of date. Ask its owner to open the program there."
        case .otherFile: "The file is not the one that was sent. Ask the other person to send it again."
        case .wrongLength: "The file is incomplete. Load it again."
        }
    }
}
