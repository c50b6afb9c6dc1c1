public import Foundation

extension UUID {
    /// A new random id in small letters. Foundation's own opens the system's random device for each, which commands notice.
    public static func randomText() -> String {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next(), generator.next())
        // Version 4, variant 1. Source: RFC 9562, section 5.4.
        let bits = (high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
        return String(unsafeUninitializedCapacity: 36) { text in
            for digit in 0..<32 {
                let nibble = UInt8(truncatingIfNeeded: (digit < 16 ? bits.0 : bits.1) >> (60 - digit % 16 * 4) & 15)
                // A dash before the digits 8, 12, 16 and 20.
                text[digit + min(max(digit / 4 - 1, 0), 4)] = nibble + (nibble < 10 ? 0x30 : 0x57)
            }
            for place in [8, 13, 18, 23] { text[place] = 0x2D }
            return 36
        }
    }
}
