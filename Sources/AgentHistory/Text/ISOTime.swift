import Foundation

/// Times as the agents write them.
enum ISOTime {
    /// Milliseconds since 1970-01-01T00:00:00Z of an RFC 3339 time, `2026-01-02T03:04:05.678Z`; nil for anything else.
    static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count <= 40, let seconds = seconds(bytes, separator: UInt8(ascii: ":")) else { return nil }
        var index = 19
        var milliseconds: Int64 = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            var scale: Int64 = 100
            let first = index
            while index < bytes.count, let digit = digit(bytes[index]) {
                milliseconds += digit * scale
                scale /= 10
                index += 1
            }
            guard index > first else { return nil }
        }
        guard index < bytes.count else { return nil }
        let zone = bytes[index...]
        if zone == [UInt8(ascii: "Z")] || zone == [UInt8(ascii: "z")] { return seconds * 1000 + milliseconds }
        guard zone.count == 6, zone[index + 3] == UInt8(ascii: ":"),
            let hours = number(bytes, index + 1, 2), let minutes = number(bytes, index + 4, 2), hours < 24, minutes < 60
        else { return nil }
        let offset = (hours * 60 + minutes) * 60
        switch zone[index] {
        case UInt8(ascii: "+"): return (seconds - offset) * 1000 + milliseconds
        case UInt8(ascii: "-"): return (seconds + offset) * 1000 + milliseconds
        default: return nil
        }
    }

    /// The local time in the name of a rollout, `2026-01-02T03-04-05`.
    static func localMilliseconds(_ text: Substring, in zone: TimeZone) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 19, seconds(bytes, separator: UInt8(ascii: "-")) != nil else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let fields = [(0, 4), (5, 2), (8, 2), (11, 2), (14, 2), (17, 2)].compactMap { number(bytes, $0.0, $0.1) }.map(
            Int.init
        )
        let components = DateComponents(
            year: fields[0],
            month: fields[1],
            day: fields[2],
            hour: fields[3],
            minute: fields[4],
            second: fields[5]
        )
        return calendar.date(from: components).map { Int64($0.timeIntervalSince1970) * 1000 }
    }

    /// Seconds of `YYYY-MM-DDThh:mm:ss` taken as UTC.
    private static func seconds(_ bytes: [UInt8], separator: UInt8) -> Int64? {
        guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
            bytes[13] == separator, bytes[16] == separator,
            let year = number(bytes, 0, 4), let month = number(bytes, 5, 2), let day = number(bytes, 8, 2),
            let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2), let second = number(bytes, 17, 2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        // Days since 1970 in the Gregorian calendar, with years that begin in March.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int64? {
        guard start + count <= bytes.count else { return nil }
        var value: Int64 = 0
        for byte in bytes[start..<(start + count)] {
            guard let digit = digit(byte) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte - UInt8(ascii: "0")) : nil
    }
}
