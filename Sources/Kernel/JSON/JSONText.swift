/// Single JSON values as bytes, for a relay that answers without decoding whole frames.
public enum JSONText {
    /// The characters of a string that was scanned; nil when `range` holds no string.
    public static func string(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String? {
        guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\""),
            bytes[range.upperBound - 1] == UInt8(ascii: "\"")
        else { return nil }
        let inside = UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + 1)..<(range.upperBound - 1)])
        guard inside.contains(UInt8(ascii: "\\")) else { return String(decoding: inside, as: UTF8.self) }
        var characters: [UInt8] = []
        characters.reserveCapacity(inside.count)
        var index = 0
        var high: UInt32 = 0
        while index < inside.count {
            let byte = inside[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < inside.count else {
                characters.append(byte)
                continue
            }
            let escape = inside[index]
            index += 1
            switch escape {
            case UInt8(ascii: "b"): characters.append(0x08)
            case UInt8(ascii: "f"): characters.append(0x0C)
            case UInt8(ascii: "n"): characters.append(0x0A)
            case UInt8(ascii: "r"): characters.append(0x0D)
            case UInt8(ascii: "t"): characters.append(0x09)
            case UInt8(ascii: "u"):
                guard index + 4 <= inside.count else { return nil }
                var unit: UInt32 = 0
                for digit in inside[index..<(index + 4)] { unit = unit << 4 | (hexadecimal(digit) ?? 0) }
                index += 4
                if (0xD800...0xDBFF).contains(unit) {
                    high = unit
                } else {
                    let isLow = (0xDC00...0xDFFF).contains(unit)
                    let scalar = isLow ? 0x10000 + ((high & 0x3FF) << 10 | unit & 0x3FF) : unit
                    characters += Array(String(Character(Unicode.Scalar(scalar) ?? "\u{FFFD}")).utf8)
                }
            default: characters.append(escape)
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Whether a scanned value counts as true in JavaScript: everything but `false`, `null`, `0` and `""`.
    public static func isTruthy(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        switch bytes[range.lowerBound] {
        case UInt8(ascii: "f"), UInt8(ascii: "n"): false
        case UInt8(ascii: "\""): range.count > 2
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            bytes[range].prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
                .contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        default: true
        }
    }

    static func hexadecimal(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
