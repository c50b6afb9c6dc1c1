public import Foundation

extension UUID {
    /// A new random id in small letters. Foundation's own opens the system's random device for each, which commands notice.
    public static func randomText() -> String {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next(), generator.next())
        // Version 4, variant 1. Source: RFC 9562, section 5.4.
        let words = [high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000]
        var digits = Hexadecimal.encode(words.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) })
        for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
        return digits
    }
}
