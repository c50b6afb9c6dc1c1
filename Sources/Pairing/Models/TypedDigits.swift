/// The digits that a computer shows beside its QR code, for a person to type.
public enum TypedDigits: Int, Hashable, Sendable {
    /// None: the code can only be scanned, so there is nothing to guess.
    case none = 0
    /// Six, for programs that take no more. Both screens then show a number to compare.
    case six = 6
    case ten = 10
}
