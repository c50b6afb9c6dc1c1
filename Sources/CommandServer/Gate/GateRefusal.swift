package import Commands
import Kernel

/// Why the gate let a command not through. The description is shown to the person: what happened, then what to do.
package enum GateRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case notPaired
    case sealingRequired
    case notAllowed(name: String, permission: String)
    case notForToken(name: String, permission: String)
    case signatureRequired(method: String, name: String, permission: String)
    case incompleteProof(missing: String)
    case otherIdentity
    case wrongSignature
    case notFresh
    case replayed
    case tooMany
    case nonceNotKept(reason: String)
    case notLogged(reason: String)

    package var code: Int {
        switch self {
        case .notPaired, .sealingRequired: FailureCode.notPaired
        case .notAllowed, .notForToken, .signatureRequired: FailureCode.notAllowed
        case .incompleteProof: FailureCode.invalidRequest
        case .otherIdentity, .wrongSignature, .notFresh, .replayed: FailureCode.notProven
        case .tooMany: FailureCode.tooMany
        case .nonceNotKept, .notLogged: FailureCode.internalError
        }
    }

    package var description: String {
        switch self {
        case .notPaired: "not-paired: this device is not paired with this computer. Pair it first."
        case .sealingRequired: "e2e-required: this device is paired with sealing and must use it."
        case .notAllowed(let name, let permission):
            """
            \(name) may not use \(permission) on this computer. Allow it there with: \
            tandem devices allow \(TerminalText.name(name)) \(permission)
            """
        case .notForToken(let name, let permission):
            "The token of \(name) does not open \(permission) on this computer. What tokens may have is given when one is made."
        case .signatureRequired(let method, let name, let permission):
            """
            \(method) is not done for a device that neither seals nor signs. Pair it again with a program that seals; or \
            allow it, on this computer's own network only, with: \
            tandem devices allow \(TerminalText.name(name)) \(permission) --unsigned
            """
        case .incompleteProof(let missing):
            "The request is signed, but auth.\(missing) is missing. Sign it with did, timestamp and nonce."
        case .otherIdentity: "auth names another device than the one that sent the request. Pair this device itself."
        case .wrongSignature: "The signature does not fit the request and the device. Pair the device again."
        case .notFresh:
            "The request was made more than five minutes ago, or the clocks differ. Set both clocks and try again."
        case .replayed: "The request was received before and is not done twice. Make it anew."
        case .tooMany: "Too many commands in a short time. Wait a minute, then try again."
        case .nonceNotKept(let reason):
            "The computer could not note the request, so it did nothing. \(reason)"
        case .notLogged(let reason):
            "The computer could not write this into its log, so it did nothing. \(reason)"
        }
    }

    package var failure: RemoteFailure { RemoteFailure(code: code, message: description) }
}
