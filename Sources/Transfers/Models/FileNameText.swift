import Kernel

/// Names of any bytes as text, and back without loss. UTF-8 stays as it is; each byte that is not part of well-formed UTF-8 becomes
/// one character from U+EF80 to U+EFFF (0xEF00 + the byte). A name that really holds such a character has its bytes escaped
/// one by one, so that no two names share a text. Source: `docs/protocol.md`, "Files".
package enum FileNameText {
    private static let escapes: ClosedRange<UInt32> = 0xEF80...0xEFFF

    /// The one text of a name.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        let bytes = Array(bytes)
        var text = String.UnicodeScalarView()
        var index = 0
        while index < bytes.count {
            let length = sequenceLength(bytes, at: index)
            let scalar =
                length > 0 ? String(decoding: bytes[index..<index + length], as: UTF8.self).unicodeScalars.first : nil
            if let scalar, !escapes.contains(scalar.value) {
                text.append(scalar)
                index += length
            } else {
                for byte in bytes[index..<index + max(length, 1)] { text.append(escape(byte)) }
                index += max(length, 1)
            }
        }
        return String(text)
    }

    /// The name of a text that ``text(_:)`` or a peer has made; the reverse of ``text(_:)``.
    package static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if escapes.contains(scalar.value) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return bytes
    }

    /// True when the text is not simply the bytes: then an answer also carries the bytes themselves.
    package static func isEscaped(_ text: String) -> Bool {
        text.unicodeScalars.contains { escapes.contains($0.value) }
    }

    private static func escape(_ byte: UInt8) -> Unicode.Scalar {
        // Bytes below 0x80 are well-formed everywhere, so only 0x80 to 0xFF come here: all of them are scalars.
        Unicode.Scalar(0xEF00 + UInt32(byte)) ?? Unicode.Scalar(byte)
    }

    /// The length of the well-formed sequence that starts at `index`; 0 when there is none.
    private static func sequenceLength(_ bytes: [UInt8], at index: Int) -> Int {
        let length: Int
        switch bytes[index] {
        case 0..<0x80: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return 0
        }
        guard index + length <= bytes.count, UTF8Check.isValid(bytes[index..<index + length]) else { return 0 }
        return length
    }
}

extension FileNameText {
    /// A name of one file: what a peer gives as one may not be a way to somewhere else.
    ///
    /// - Throws: ``FileError/badName(_:)``.
    package static func check(_ name: [UInt8]) throws(FileError) {
        let dots: [[UInt8]] = [[], [0x2E], [0x2E, 0x2E]]
        guard name.count <= 255, !dots.contains(name), !name.contains(UInt8(ascii: "/")), !name.contains(0) else {
            throw .badName(text(name.prefix(255)))
        }
    }
}
