/// The six digits of the documented pairing code. At our relay and in every program they are an address, not a secret.
public struct PairingCode: Hashable, Sendable, CustomStringConvertible {
    /// Six ASCII digits, 100000 to 999999.
    public let digits: String

    /// - Throws: ``PairingError/codeNotSixDigits`` unless the text is exactly six ASCII digits.
    public init(_ text: String) throws(PairingError) {
        guard text.utf8.count == 6, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .codeNotSixDigits
        }
        digits = text
    }

    /// A new code, 100000 to 999999.
    public static func random(using generator: inout some RandomNumberGenerator) -> PairingCode {
        PairingCode(unchecked: String(Int.random(in: 100_000...999_999, using: &generator)))
    }

    private init(unchecked digits: String) { self.digits = digits }

    public var description: String { digits }

    /// The id that the desktop registers beside its own while it shows the code.
    public var alias: String { Self.aliasPrefix + digits }

    static let aliasPrefix = "pairing-code:"
}
