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
        var id = id
        return id.withUTF8 { text in
            switch text.count {
            case 36 where dashes.allSatisfy({ text[$0] == 0x2D }):
                if let packed = packed(text, .smallUUID, letters: 0x61...0x66) { return packed }
                if let packed = packed(text, .capitalUUID, letters: 0x41...0x46) { return packed }
            case 32:
                if let packed = packed(text, .smallDigits, letters: 0x61...0x66) { return packed }
            default: break
            }
            return Data([Form.text.rawValue] + text)
        }
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

    /// The form and 32 digits in 17 bytes, but for the dashes of a UUID. Each message goes through this, so it makes one array.
    private static func packed(
        _ text: UnsafeBufferPointer<UInt8>,
        _ form: Form,
        letters: ClosedRange<UInt8>
    ) -> Data? {
        var result: [UInt8] = []
        result.reserveCapacity(17)
        result.append(form.rawValue)
        var high: UInt8?
        for (place, byte) in text.enumerated() where form == .smallDigits || !dashes.contains(place) {
            guard let digit = value(byte, letters) else { return nil }
            if let first = high {
                result.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return Data(result)
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
