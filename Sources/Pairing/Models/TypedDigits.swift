/// The digits that a computer shows beside its QR code, for a person to type.
public enum TypedDigits: Int, Hashable, Sendable {
    /// No digits: the code can only be scanned, so there is nothing to guess.
    case none = 0
    /// Six digits, for programs that take no more. Both screens then show a number to compare.
    case six = 6
    case ten = 10
}
