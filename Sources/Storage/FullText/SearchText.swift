import Foundation

/// Texts in the form in which the full text holds them: on one line, composed, and with a separator around every character of a script that
/// puts no spaces between words. SQLite's tokenizer would otherwise take a whole Chinese sentence for one word.
package enum SearchText {
    /// Stands between characters that are words of their own. No text has it: control characters become spaces.
    package static let separator: Unicode.Scalar = "\u{1}"
    /// Before and behind what was found, in what SQLite gives back.
    package static let opening: Unicode.Scalar = "\u{2}"
    package static let closing: Unicode.Scalar = "\u{3}"
    /// UTF-8 bytes of one item that can be found.
    package static let itemLimit = 8 << 10

    /// - Parameter limit: UTF-8 bytes of the text that are taken.
    package static func indexed(_ text: String, limit: Int = itemLimit) -> String {
        let bytes = text.utf8.prefix(limit)
        if bytes.allSatisfy({ $0 < 0x80 }) { return plainASCII(bytes) }
        var end = bytes.endIndex
        // Back to the beginning of a character.
        while end < text.utf8.endIndex, end > text.startIndex, text.utf8[end] & 0xC0 == 0x80 {
            end = text.utf8.index(before: end)
        }
        let start = text[..<end]
        if start.unicodeScalars.allSatisfy(staysComposed) { return separated(start.unicodeScalars) }
        return separated(String(start).precomposedStringWithCanonicalMapping.unicodeScalars)
    }

    /// - Parameter scalars: The scalars of a composed text.
    private static func separated(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(256)
        var last: Unicode.Scalar = " "
        func put(_ scalar: Unicode.Scalar) {
            if scalar.value < 0x80 {
                result.append(UInt8(scalar.value))
            } else if let bytes = UTF8.encode(scalar) {
                result.append(contentsOf: bytes)
            }
            last = scalar
        }
        for scalar in scalars {
            if isSpace(scalar) {
                if last != " " { put(" ") }
            } else if standsAlone(scalar) {
                if last != separator, last != " " { put(separator) }
                put(scalar)
                put(separator)
            } else {
                put(scalar)
            }
        }
        while let byte = result.last, byte == 0x20 || byte == UInt8(separator.value) { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether texts of such characters alone are composed as they are: characters that neither stand for others nor join with what is
    /// before them. Most are in most texts, and composing costs ten times as much as everything else here.
    static func staysComposed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x0300: true
        // Cyrillic, dashes and quotation marks, kana, Han, Hangul, pictures, and forms of the width of Han.
        case 0x0400...0x0482, 0x2010...0x2027, 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FA: true
        case 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF5E, 0x1F300...0x1F64F: true
        default: false
        }
    }

    private static func plainASCII(_ bytes: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if byte > 0x20, byte != 0x7F {
                result.append(byte)
            } else if let last = result.last, last != 0x20 {
                result.append(0x20)
            }
        }
        if result.last == 0x20 { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return scalar.value <= 0x20 || scalar.value == 0x7F }
        return scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }

    /// Scripts without spaces between words: Chinese and Japanese, Thai, Lao, Burmese, Khmer.
    package static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x0E00: false
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true
        case 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: true
        case 0xFF66...0xFF9F, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// Whether a scalar belongs to a word, rather than between words.
    package static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 {
            return (0x30...0x39).contains(scalar.value) || (0x41...0x5A).contains(scalar.value)
                || (0x61...0x7A).contains(scalar.value)
        }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .decimalNumber, .letterNumber, .otherNumber, .privateUse: true
        default: false
        }
    }
}
