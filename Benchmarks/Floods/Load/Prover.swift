import Kernel
import Sealing

/// Registers with a proof, as docs/protocol.md 2.1 has it.
struct Prover {
    let identity: Identity
    let host: String

    func begin(_ id: String) -> [UInt8] {
        WireFrame.text(
            #"{"type":"register","peerId":"\#(id)","deviceType":"mobile","e2e":{"v":1,"key":"\#(identity.did)"}}"#
        )
    }

    /// The answer to a challenge; nil for any other frame.
    func answer(_ frame: ArraySlice<UInt8>, id: String) throws -> [UInt8]? {
        guard WireType(frame) == .challenge else { return nil }
        guard let text = try JSONValue(parsing: frame)["nonce"]?.stringValue, let nonce = Base64URL.decode(text) else {
            return nil
        }
        let signature = try RegistrationProof.sign(identity: identity, peerID: id, nonce: nonce, host: host)
        let proof = #"{"v":1,"key":"\#(identity.did)","nonce":"\#(text)","sig":"\#(Base64URL.encode(signature))"}"#
        return WireFrame.text(#"{"type":"register","peerId":"\#(id)","deviceType":"mobile","e2e":\#(proof)}"#)
    }
}

/// The `type` of a frame of the server, found by its first bytes: it is always the first member.
enum WireType {
    case registered, challenge, error, peerOffline, other

    init(_ frame: ArraySlice<UInt8>) {
        let start = frame.dropFirst(9)
        if start.starts(with: #"registered""#.utf8) {
            self = .registered
        } else if start.starts(with: #"challenge""#.utf8) {
            self = .challenge
        } else if start.starts(with: #"error""#.utf8) {
            self = .error
        } else if start.starts(with: #"peer-offline""#.utf8) {
            self = .peerOffline
        } else {
            self = .other
        }
    }
}
