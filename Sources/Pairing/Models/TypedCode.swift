/// The digits that a person types from the computer's screen: ten, or the six that older screens show.
public struct TypedCode: Hashable, Sendable {
    /// Six or ten ASCII digits, without spaces.
    public let digits: String

    /// - Parameter text: The typed text, for example `482 913 7306`; spaces and dashes are ignored.
    /// - Throws: ``PairingError/codeHasOtherCharacters`` for anything but digits, ``PairingError/wrongDigitCount(_:)``
    ///   unless there are six or ten.
    public init(_ text: String) throws(PairingError) {
        var digits = ""
        // A person types less than this bound, which keeps a long pasted text cheap.
        for scalar in text.unicodeScalars.prefix(64) {
            switch scalar {
            case "0"..."9": digits.unicodeScalars.append(scalar)
            // The separators that screens and keyboards put between groups: space, no-break and thin spaces; hyphen, dashes and minus.
            case " ", "\t", "\n", "\u{A0}", "\u{2009}", "\u{202F}", "-", "\u{2010}"..."\u{2015}", "\u{2212}": continue
            default: throw .codeHasOtherCharacters
            }
        }
        guard digits.utf8.count == 6 || digits.utf8.count == 10 else { throw .wrongDigitCount(digits.utf8.count) }
        self.digits = digits
        code = try PairingCode(String(digits.prefix(6)))
    }

    /// The ten digits that a desktop shows; for programs that take no more the six without secret ones.
    package init(code: PairingCode, secretDigits: String = "") {
        self.code = code
        digits = code.digits + secretDigits
    }

    /// The first six digits: the documented code, and the address.
    public let code: PairingCode

    /// The digits in groups, for people: `482 913 7306`.
    public var grouped: String {
        let groups = [digits.prefix(3), digits.dropFirst(3).prefix(3), digits.dropFirst(6)]
        return groups.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
