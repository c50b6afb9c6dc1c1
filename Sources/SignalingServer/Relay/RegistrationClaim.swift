import Sealing

/// A socket's claim to an id.
struct RegistrationClaim: Sendable {
    struct Proof: Sendable {
        let key: DID
        let signature: [UInt8]
        let nonce: [UInt8]
        /// The `Host` the socket was opened with.
        let host: String
        /// The TLS connection it was made for; nil when the client did not say.
        let binding: ChannelBinding?

        func isGenuine(peerID: String) -> Bool {
            do throws(SealingError) {
                try RegistrationProof.verify(
                    signature,
                    key: key,
                    peerID: peerID,
                    nonce: nonce,
                    host: host,
                    binding: binding
                )
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
    /// Whose share of new ids it uses.
    let address: AddressRecord
}

/// Why a claim was refused, with the stable `code` of the error frame. Source: `docs/protocol.md` 2.1.
enum RegistrationRefusal: String, Error, Hashable, Sendable {
    case proofFailed = "proof-failed"
    case proofRequired = "proof-required"
    case keyMismatch = "key-mismatch"
    case aliasTaken = "alias-taken"
    case aliasLimit = "alias-limit"
    case tooManyIDs = "too-many-ids"
    case full = "full"
    case unavailable = "unavailable"

    var sentence: String {
        switch self {
        case .proofFailed: "The proof of this id could not be verified. Register again for a new challenge."
        case .proofRequired: "This id has an owner. Register with a proof of its key."
        case .keyMismatch: "This id belongs to another key. Use the key it was first registered with, or another id."
        case .aliasTaken: "Another device shows this code now. Show a new code."
        case .aliasLimit: "Too many codes were shown or tried from here. Wait a minute, then show a new one."
        case .tooManyIDs: "This server takes no more new ids from this key or network for now. Try again later."
        case .full: "This server has no room for more devices now. Try again later."
        case .unavailable: "Registrations cannot be checked at the moment. Try again later."
        }
    }
}
