import Kernel
import Sealing

/// What devices sign: a label, a zero byte, and the canonical text of what is said. No two kinds of signed texts begin alike, so a signature over one
/// never holds for another.
enum SignedText {
    static func bytes(_ label: String, _ json: JSONValue) -> [UInt8] { bytes(label, json.canonicalBytes) }

    static func bytes(_ label: String, _ rest: [UInt8]) -> [UInt8] { Array(label.utf8) + [0] + rest }

    /// - Throws: ``ChatSealingError/badSignature``.
    static func verify(_ signature: [UInt8], of text: [UInt8], by device: DID) throws(ChatSealingError) {
        guard let key = device.signingKey, key.verifies(signature, of: text) else { throw .badSignature }
    }
}
