extension UInt8 {
    /// Whether it is an ASCII letter or digit, or one of `marks`, which are ASCII too.
    package func isLetterOrDigit(or marks: String = "") -> Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: marks.utf8.contains(self)
        }
    }
}

extension StringProtocol {
    /// Whether every byte is an ASCII letter or digit, or one of `marks`, which are ASCII too.
    package func hasOnlyLettersAndDigits(or marks: String = "") -> Bool {
        utf8.allSatisfy { $0.isLetterOrDigit(or: marks) }
    }
}
