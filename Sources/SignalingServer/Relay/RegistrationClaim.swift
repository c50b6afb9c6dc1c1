import Sealing

/// A socket's claim to an id.
struct RegistrationClaim: Sendable {
    struct Proof: Sendable {
        let key: DID
        let signature: [UInt8]
        let nonce: [UInt8]
        /// The `Host` the socket was opened with.
        let host: String

        func isGenuine(peerID: String) -> Bool {
            do throws(SealingError) {
                try RegistrationProof.verify(signature, key: key, peerID: peerID, nonce: nonce, host: host)
                return true
            } catch {
                return false
            }
        }
    }

    let id: PeerID
    let proof: Proof?
    /// JSON values as they came; nil when absent.
    let deviceType: [UInt8]?
    let deviceInfo: [UInt8]?
}

/// Why a claim was refused, with the stable `code` of the error frame. Source: `docs/protocol.md` 2.1.
enum RegistrationRefusal: String, Error, Hashable, Sendable {
    case proofFailed = "proof-failed"
    case proofRequired = "proof-required"
    case keyMismatch = "key-mismatch"
    case aliasTaken = "alias-taken"
    case unavailable = "unavailable"

    var sentence: String {
        switch self {
        case .proofFailed: "The proof of this id could not be verified. Register again for a new challenge."
        case .proofRequired: "This id has an owner. Register with a proof of its key."
        case .keyMismatch: "This id belongs to another key. Use the key it was first registered with, or another id."
        case .aliasTaken: "Another device shows this code now. Show a new code."
        case .unavailable: "Registrations cannot be checked at the moment. Try again later."
        }
    }
}
