/// Turns bytes that come in pieces into text: a character cut in two is kept whole, wrong bytes become U+FFFD.
package struct UTF8Stream {
    /// The beginning of a character whose end has not come, at most three bytes.
    private var pending: [UInt8] = []

    package init() {}

    package mutating func decode(_ bytes: [UInt8]) -> String {
        let all = pending.isEmpty ? bytes : pending + bytes
        let cut = all.count - Self.incompleteSuffix(of: all)
        pending = Array(all[cut...])
        return cut == all.count ? String(decoding: all, as: UTF8.self) : String(decoding: all[..<cut], as: UTF8.self)
    }

    /// What is left when nothing more comes.
    package mutating func finish() -> String {
        defer { pending = [] }
        return String(decoding: pending, as: UTF8.self)
    }

    /// How many bytes at the end could be the beginning of a character.
    private static func incompleteSuffix(of bytes: [UInt8]) -> Int {
        for length in 1...3 where length <= bytes.count {
            let suffix = bytes[(bytes.count - length)...]
            guard let lead = suffix.first else { return 0 }
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
