import Foundation

/// Clients' ids of messages in fewer bytes: a UUID and 32 hexadecimal digits take 17 in place of 36 and 32. Every other id is kept as it is.
///
/// The first byte names the form, so that the exact text comes back and two texts never share their bytes.
enum CompactID {
    private enum Form: UInt8 {
        case text = 0
        case smallUUID, capitalUUID, smallDigits
    }

    private static let dashes = [8, 13, 18, 23]

    static func bytes(_ id: String) -> Data {
        let text = Array(id.utf8)
        if text.count == 36, dashes.allSatisfy({ text[$0] == 0x2D }) {
            let digits = text.indices.filter { !dashes.contains($0) }.map { text[$0] }
            if let packed = packed(digits, letters: 0x61...0x66) { return Data([Form.smallUUID.rawValue] + packed) }
            if let packed = packed(digits, letters: 0x41...0x46) { return Data([Form.capitalUUID.rawValue] + packed) }
        } else if text.count == 32, let packed = packed(text, letters: 0x61...0x66) {
            return Data([Form.smallDigits.rawValue] + packed)
        }
        return Data([Form.text.rawValue] + text)
    }

    /// Empty for bytes that ``bytes(_:)`` never makes: a damaged row.
    static func text(_ bytes: Data) -> String {
        guard let first = bytes.first, let form = Form(rawValue: first) else { return "" }
        let rest = Array(bytes.dropFirst())
        switch form {
        case .text: return String(decoding: rest, as: UTF8.self)
        case .smallDigits: return digits(rest, letter: 0x61)
        case .smallUUID: return dashed(digits(rest, letter: 0x61))
        case .capitalUUID: return dashed(digits(rest, letter: 0x41))
        }
    }

    private static func packed(_ digits: [UInt8], letters: ClosedRange<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(16)
        for place in stride(from: 0, to: digits.count - 1, by: 2) {
            guard let high = value(digits[place], letters), let low = value(digits[place + 1], letters) else {
                return nil
            }
            result.append(high << 4 | low)
        }
        return result.count == 16 ? result : nil
    }

    private static func value(_ digit: UInt8, _ letters: ClosedRange<UInt8>) -> UInt8? {
        if (0x30...0x39).contains(digit) { return digit - 0x30 }
        return letters.contains(digit) ? digit - letters.lowerBound + 10 : nil
    }

    private static func digits(_ bytes: [UInt8], letter: UInt8) -> String {
        let digits = bytes.flatMap { [$0 >> 4, $0 & 15] }
        return String(decoding: digits.map { $0 < 10 ? $0 + 0x30 : $0 - 10 + letter }, as: UTF8.self)
    }

    private static func dashed(_ digits: String) -> String {
        var text = Array(digits.utf8)
        guard text.count == 32 else { return "" }
        for place in dashes { text.insert(0x2D, at: place) }
        return String(decoding: text, as: UTF8.self)
    }
}
