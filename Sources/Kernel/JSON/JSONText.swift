/// Single JSON values as bytes, for a relay that answers without decoding whole frames.
public enum JSONText {
    /// The characters of a string that was scanned; nil when `range` holds no string.
    public static func string(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String? {
        guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\""),
            bytes[range.upperBound - 1] == UInt8(ascii: "\"")
        else { return nil }
        let inside = UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + 1)..<(range.upperBound - 1)])
        guard inside.contains(UInt8(ascii: "\\")) else { return String(decoding: inside, as: UTF8.self) }
        // The character of an escape is never longer than the escape.
        var isWhole = true
        let text = String(unsafeUninitializedCapacity: inside.count) { characters in
            guard let count = unescape(inside, into: characters) else {
                isWhole = false
                return 0
            }
            return count
        }
        return isWhole ? text : nil
    }

    /// The number of bytes written; nil when an escape is cut off.
    private static func unescape(
        _ inside: UnsafeRawBufferPointer,
        into characters: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var count = 0
        var index = 0
        var high: UInt32 = 0
        while index < inside.count {
            let run = JSONRun.plainCount(inside, from: index)
            for offset in 0..<run { characters[count &+ offset] = inside[index &+ offset] }
            count += run
            index += run
            guard index < inside.count else { break }
            let byte = inside[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < inside.count else {
                characters[count] = byte
                count += 1
                continue
            }
            let escape = inside[index]
            index += 1
            var character = escape
            switch escape {
            case UInt8(ascii: "b"): character = 0x08
            case UInt8(ascii: "f"): character = 0x0C
            case UInt8(ascii: "n"): character = 0x0A
            case UInt8(ascii: "r"): character = 0x0D
            case UInt8(ascii: "t"): character = 0x09
            case UInt8(ascii: "u"):
                guard index + 4 <= inside.count else { return nil }
                var unit: UInt32 = 0
                for digit in inside[index..<(index + 4)] {
                    unit = unit << 4 | UInt32(Hexadecimal.value(of: digit) ?? 0)
                }
                index += 4
                if (0xD800...0xDBFF).contains(unit) {
                    high = unit
                } else {
                    let isLow = (0xDC00...0xDFFF).contains(unit)
                    let scalar = isLow ? 0x10000 + ((high & 0x3FF) << 10 | unit & 0x3FF) : unit
                    for unit in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                        characters[count] = unit
                        count += 1
                    }
                }
                continue
            default: break
            }
            characters[count] = character
            count += 1
        }
        return count
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
}
