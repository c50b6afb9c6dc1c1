/// The code of an invitation: twelve digits, which a person can type and read out.
///
/// They hold 40 bits. The hub slows guesses to some hundreds a day in all, so that with a thousand open invitations guessing finds one on one
/// day in a million.
public struct InvitationCode: Hashable, Sendable, CustomStringConvertible {
    public static let digitCount = 12

    /// Twelve ASCII digits.
    public let digits: String

    /// Reads a code as a person types it: spaces and dashes between the digits are ignored. Nil for any other text.
    public init?(_ text: String) {
        var digits = ""
        // A person types less than this bound, which keeps a long pasted text cheap.
        guard text.utf8.count <= 64 else { return nil }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9": digits.unicodeScalars.append(scalar)
            case " ", "\t", "\n", "\u{A0}", "\u{2009}", "\u{202F}", "-", "\u{2010}"..."\u{2015}", "\u{2212}": continue
            default: return nil
            }
        }
        guard digits.utf8.count == Self.digitCount else { return nil }
        self.digits = digits
    }

    /// A new code from the system's generator.
    public static func random() -> InvitationCode {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<digitCount).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
        return InvitationCode(checked: digits)
    }

    private init(checked digits: String) { self.digits = digits }

    /// The digits in groups, for people: `482 913 730 655`.
    public var description: String {
        stride(from: 0, to: Self.digitCount, by: 3).map { start in
            String(digits.dropFirst(start).prefix(3))
        }.joined(separator: " ")
    }
}
