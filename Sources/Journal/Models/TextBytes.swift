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
            return memmem(start, bytes.count, needle.utf8Start, needle.utf8CodeUnitCount) != nil
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
