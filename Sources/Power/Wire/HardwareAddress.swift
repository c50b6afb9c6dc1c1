/// The address of one network interface: the six bytes that a magic packet repeats.
public struct HardwareAddress: Hashable, Sendable, CustomStringConvertible {
    /// Exactly six.
    public let bytes: [UInt8]

    /// - Parameter text: Six pairs of hexadecimal digits with colons or hyphens between, for example `52:54:00:12:34:56`.
    /// - Returns: Nil for other texts, and for addresses that no single interface has: zeros, and those of groups.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 17 else { return nil }
        let separator = digits[2]
        guard separator == UInt8(ascii: ":") || separator == UInt8(ascii: "-") else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: 17, by: 3) {
            guard let high = Self.value(of: digits[start]), let low = Self.value(of: digits[start + 1]) else {
                return nil
            }
            guard start + 2 == 17 || digits[start + 2] == separator else { return nil }
            bytes.append(high << 4 | low)
        }
        // The lowest bit of the first byte marks a group's address, the broadcast address among them.
        guard bytes.contains(where: { $0 != 0 }), bytes[0] & 1 == 0 else { return nil }
        self.bytes = bytes
    }

    /// With small letters and colons.
    public var description: String {
        let digits = Array("0123456789abcdef")
        return bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(separator: ":")
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
