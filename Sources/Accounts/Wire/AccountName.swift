import Kernel

/// The name by which a person signs in and is found: 1 to 64 of `a` to `z`, `0` to `9`, `.`, `_` and `-`, with a letter or digit first.
///
/// Names are ASCII, so no two of them look alike for being of other alphabets. None reads as the id of an account, `tb_7` or `7`: people name
/// each other by either.
public struct AccountName: Hashable, Sendable, CustomStringConvertible {
    public static let lengths = 1...64

    /// The name in lower case.
    public let text: String

    /// Reads a name as a person types it: capitals count as small letters. Nil for any other text.
    public init?(_ text: String) {
        guard Self.lengths.contains(text.utf8.count), text.hasOnlyLettersAndDigits(or: "._-"),
            text.utf8.first?.isLetterOrDigit() == true
        else { return nil }
        let name = text.lowercased()
        guard !name.hasPrefix("tb_"), !name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.text = name
    }

    public var description: String { text }
}
