import Kernel

/// The handshake of the QR flows: `Noise_IKpsk1`, from the device that scans to the one that shows.
/// Source: `docs/protocol.md` 2.3. ``Scanner`` and ``Presenter`` are values without I/O: Pairing carries the bytes as `e2e.hs`.
public enum QRExchange {
    /// The prologue that binds the handshake to the whole content of the code.
    static func prologue(qr: JSONValue, code: String) -> [UInt8] {
        Array("tandem-pair-v1".utf8) + [0]
            + LengthValue.encode(Hashing.sha256(qr.canonicalBytes))
            + LengthValue.encode("scanner>shower")
            + LengthValue.encode(code)
    }
}
