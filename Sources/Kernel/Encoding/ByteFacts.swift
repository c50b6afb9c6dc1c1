/// Properties of a run of bytes, gathered while it was copied: they spare later passes over the bytes.
public struct ByteFacts: Hashable, Sendable {
    /// A byte of 0x80 or above: only then can UTF-8 be wrong.
    public var hasNonASCII: Bool
    /// A byte below 0x20: inside a JSON string it is an error, outside it may be white space.
    public var hasControl: Bool
    /// A backslash: only then can a JSON string hold an escape.
    public var hasBackslash: Bool

    public init(hasNonASCII: Bool = false, hasControl: Bool = false, hasBackslash: Bool = false) {
        self.hasNonASCII = hasNonASCII
        self.hasControl = hasControl
        self.hasBackslash = hasBackslash
    }

    /// Nothing is known, so everything is checked.
    public static var unknown: ByteFacts { ByteFacts(hasNonASCII: true, hasControl: true, hasBackslash: true) }

    /// Adds what another run of the same text holds.
    public mutating func formUnion(_ other: ByteFacts) {
        hasNonASCII = hasNonASCII || other.hasNonASCII
        hasControl = hasControl || other.hasControl
        hasBackslash = hasBackslash || other.hasBackslash
    }
}
