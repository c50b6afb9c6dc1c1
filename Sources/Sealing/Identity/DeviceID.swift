import Kernel

/// A computer's id at signaling servers, derived from the key that owns it: 32 hexadecimal digits. No other key can claim it, not
/// even at a server that has never seen the computer. Source: `docs/protocol.md` 2.1.
public enum DeviceID {
    private static let byteCount = 16

    /// The id of the computer that holds `key`: the first 16 bytes of SHA-256 over a label and the key's text.
    public static func certified(by key: DID) -> String {
        let hash = Hashing.sha256(Array("tandem-device-id-v1".utf8) + [0] + LengthValue.encode(key.text))
        return Hexadecimal.encode(hash.prefix(byteCount))
    }

    /// Whether an id has the form of a derived id, so that a proof for it holds for one key only.
    public static func isCertified(_ id: String) -> Bool {
        id.utf8.count == 2 * byteCount
            && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
