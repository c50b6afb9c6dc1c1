public import Accounts
import Kernel
import Sealing

/// What two people compare to know that the hub told both of them the truth: it is the same on their screens where both see the same two chains.
/// Source: `docs/protocol.md` 2.10.5.
public struct SafetyNumber: Hashable, Sendable {
    private static let label = "tandem-chat-number-1"
    private static let codePrefix = "tandem-chat-number:1:"

    /// An account, and the beginning of its chain that is believed.
    public struct Account: Hashable, Sendable {
        public let user: UserID
        /// The hash of entry 0: of a chain that began anew, of the entry with the reason `lost`.
        public let start: [UInt8]

        public init(_ user: UserID, start: [UInt8]) {
            self.user = user
            self.start = start
        }

        public init(_ chain: AccountChain) { self.init(chain.user, start: chain.start.hash) }
    }

    /// SHA-256, 32 bytes.
    public let hash: [UInt8]

    public init(_ one: Account, _ other: Account) {
        let sorted = [one, other].sorted { $0.user < $1.user }
        let parts = sorted.flatMap { LengthValue.encode($0.user.imUserID) + LengthValue.encode($0.start) }
        hash = Hashing.sha256(Array(Self.label.utf8) + [0] + parts)
    }

    /// Twelve groups of five digits: the hash as a number, big-endian, modulo 10 to the 60th.
    public var groups: [String] {
        var digits = hash
        var groups: [String] = []
        for _ in 0..<12 {
            var remainder = 0
            for index in digits.indices {
                let value = remainder << 8 | Int(digits[index])
                digits[index] = UInt8(truncatingIfNeeded: value / 100_000)
                remainder = value % 100_000
            }
            let text = String(remainder)
            groups.append(String(repeating: "0", count: 5 - text.count) + text)
        }
        return groups.reversed()
    }

    /// The text of the QR code, with the whole hash.
    public var code: String { Self.codePrefix + Base64URL.encode(hash) }

    /// Whether a scanned code says the same.
    public func matches(code text: String) -> Bool { text.utf8.count <= 256 && text == code }
}
