import Foundation
import Kernel

/// The forms of dates in exports: RFC 3339 with or without fractions, a date and a time without a zone, a date alone.
enum ImportDate {
    /// - Returns: Milliseconds since 1970. What has no zone is taken for UTC; a date alone is its noon, which is that day in most of the world.
    static func milliseconds(_ text: String) -> Int64? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.utf8.count <= 40, text.utf8.count >= 10, let day = numbers(text.prefix(10), "-", [4, 2, 2]) else {
            return nil
        }
        let rest = text.dropFirst(10)
        guard let first = rest.first else { return moment(day, [12, 0, 0], 0, zone: 0) }
        guard first == "T" || first == " " else { return nil }
        let body = rest.dropFirst()
        let clock = body.prefix { $0.isNumber || $0 == ":" }
        guard let time = numbers(clock, ":", [2, 2, 2]) ?? numbers(clock, ":", [2, 2]) else { return nil }
        var tail = body.dropFirst(clock.count)
        var fraction = 0
        if tail.first == "." {
            let digits = tail.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty else { return nil }
            fraction = Int(digits.prefix(3).padding(toLength: 3, withPad: "0", startingAt: 0)) ?? 0
            tail = tail.dropFirst(1 + digits.count)
        }
        guard let zone = zone(tail.trimmingCharacters(in: .whitespaces)) else { return nil }
        return moment(day, time + (time.count == 2 ? [0] : []), fraction, zone: zone)
    }

    /// Seconds east of Greenwich; 0 for nothing.
    private static func zone(_ text: String) -> Int? {
        if text.isEmpty || text == "Z" || text == "z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let number = Int(digits), number / 100 < 24, number % 100 < 60 else { return nil }
        return (number / 100 * 3600 + number % 100 * 60) * (sign == "-" ? -1 : 1)
    }

    private static func numbers(_ text: some StringProtocol, _ separator: Character, _ widths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        return numbers.count == widths.count ? numbers : nil
    }

    private static func moment(_ day: [Int], _ time: [Int], _ milliseconds: Int, zone: Int) -> Int64? {
        guard (1...12).contains(day[1]), (1...31).contains(day[2]), time[0] < 24, time[1] < 60, time[2] < 61 else {
            return nil
        }
        let date = CivilTime(
            year: day[0],
            month: day[1],
            day: day[2],
            hour: time[0],
            minute: time[1],
            second: time[2],
            millisecond: milliseconds
        )
        return date.isDay ? date.milliseconds - Int64(zone) * 1000 : nil
    }
}
