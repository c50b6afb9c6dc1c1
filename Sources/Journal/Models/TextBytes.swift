#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Looks into texts by their bytes: a look by characters costs fifty times as much, and most texts have nothing to be found.
enum TextBytes {
    /// - Parameter needle: ASCII, at least one byte.
    static func contains(_ needle: StaticString, in text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return false }
            let length = needle.utf8CodeUnitCount
            let last = Int32(needle.utf8Start[length - 1])
            // By its last byte, a sign as a rule, which is rarer than the letters before it.
            var place = length - 1
            while place < bytes.count, let found = memchr(start + place, last, bytes.count - place) {
                place = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(found)) + 1
                if memcmp(start + place - length, needle.utf8Start, length) == 0 { return true }
            }
            return false
        }
    }

    /// The text with line ends as Unix has them.
    static func unixLines(_ text: String) -> String {
        guard contains("\r\n", in: text) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
