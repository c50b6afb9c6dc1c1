/// Whether bytes are well-formed UTF-8 (Unicode 15, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
public enum UTF8Check {
    /// Whether the whole of `bytes` is well-formed; no bytes are.
    public static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.withContiguousStorageIfAvailable { isValid(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { isValid($0) }
    }

    /// Whether the whole of `bytes` is well-formed; no bytes are.
    public static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count
        var index = 0
        while index < count {
            // Eight ASCII bytes at a time: most of what is checked is ASCII.
            while index + 8 <= count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
            }
            guard index < count else { return true }
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEC, 0xEE...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            case 0xF1...0xF3: length = 4
            default: return false
            }
            guard index + length <= count, second.contains(bytes[index + 1]) else { return false }
            for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return false }
            index += length
        }
        return true
    }

    /// How many bytes at the end are the beginning of a character whose end is not there, at most three.
    public static func cutSuffix(of bytes: some BidirectionalCollection<UInt8>) -> Int {
        for length in 1...3 {
            let suffix = bytes.suffix(length)
            guard suffix.count == length, let lead = suffix.first else { return 0 }
            if lead & 0xC0 == 0x80 { continue }
            let second = suffix.dropFirst().first
            return couldBegin(lead, second) && length < expectedLength(lead) ? length : 0
        }
        return 0
    }

    private static func expectedLength(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// Overlong forms, surrogates and what is above U+10FFFF are wrong from their second byte on.
    private static func couldBegin(_ lead: UInt8, _ second: UInt8?) -> Bool {
        guard let second else { return true }
        return switch lead {
        case 0xE0: second >= 0xA0
        case 0xED: second <= 0x9F
        case 0xF0: second >= 0x90
        case 0xF4: second <= 0x8F
        default: true
        }
    }
}
