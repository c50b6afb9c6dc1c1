import Kernel

/// The number of a person's account at a hub.
public struct UserID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 1 to 2^53 − 1: every number that a program in JavaScript reads without loss.
    public static let range: ClosedRange<Int64> = 1...9_007_199_254_740_991
    /// What stands before the number in the ids of documented clients.
    private static let prefix = "tb_"

    public let number: Int64

    /// Nil for a number outside of ``range``.
    public init?(_ number: Int64) {
        guard Self.range.contains(number) else { return nil }
        self.number = number
    }

    /// Reads the form of documented clients, `tb_7`. Nil for any other text, and for a number that is not written in its shortest form: two
    /// spellings of one person would make two conversations.
    public init?(imUserID text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        self.init(decimal: text.dropFirst(Self.prefix.count))
    }

    /// Reads the bare number in its shortest decimal form.
    public init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text),
            text.utf8.elementsEqual(String(number).utf8)
        else { return nil }
        self.init(number)
    }

    /// The id as documented clients write it, for example `tb_7`.
    public var imUserID: String { Self.prefix + String(number) }

    public var description: String { imUserID }

    public static func < (one: UserID, other: UserID) -> Bool { one.number < other.number }
}
