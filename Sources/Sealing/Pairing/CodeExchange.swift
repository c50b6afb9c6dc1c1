/// Pairing by typed code: CPace over the digits, then `Noise_XXpsk0`. Source: `docs/protocol.md` 2.3, "Typed code".
///
/// ``Phone`` and ``Desktop`` are values without I/O: each function takes the contents of one message and returns those of
/// the next; Pairing turns them into JSON and back. Calling one out of turn throws
/// ``SealingError/handshakeOutOfOrder`` and changes nothing, so a message delivered twice does no harm. Until the tags
/// were compared, every other refusal ends the exchange: there is one guess for each code.
public enum CodeExchange {
    /// The number of typed digits: `cp.digits`.
    public enum Length: Int, Hashable, Sendable {
        /// Ten digits, of which the last four never leave the devices, so that the relay has to guess them.
        case ten = 10
        /// Six digits, all of which the relay knows, so that the people compare a further number.
        case six = 6
    }

    static let nonceLength = 16
    static let blindLength = 16

    /// CPace's CI, the context that both ends know: about each other and the way between them.
    static func channel(alias: String) -> [UInt8] {
        ["tandem-code-v1", "phone", "desktop", alias].flatMap { LengthValue.encode($0) }
    }

    /// The commitment of message 3, which makes an attacker in between choose its own values before it sees these.
    static func commitment(to share: Share) -> [UInt8] { Hashing.sha256(share.share + share.blind) }

    /// The number on both screens when only six digits were typed.
    static func shortNumber(key: [UInt8], phoneBlind: [UInt8], desktopBlind: [UInt8]) -> String {
        let info = Array("tandem-sas-v1".utf8) + LengthValue.encode(phoneBlind) + LengthValue.encode(desktopBlind)
        let number = Hashing.hkdfSHA256(key, info: info, count: 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    static func handshake(
        role: NoiseHandshake.Role,
        agreement: CPaceAgreement,
        identity: Identity
    ) throws(SealingError) -> NoiseHandshake {
        try NoiseHandshake(
            pattern: .XXpsk0,
            role: role,
            prologue: Array("tandem-code-v1".utf8) + [0] + LengthValue.encode(Hashing.sha256(agreement.transcript)),
            identity: identity,
            psk: Hashing.hkdfSHA256(agreement.key, info: Array("tandem-code-psk-v1".utf8), count: 32)
        )
    }

    static func check(_ value: [UInt8], isNamed name: String, ofLength length: Int) throws(SealingError) {
        guard value.count == length else {
            throw .wrongLength(of: name, expected: length, actual: value.count)
        }
    }
}
