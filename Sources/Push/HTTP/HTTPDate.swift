import Foundation

/// A date in one of the three forms that HTTP has (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter now: Tells the century of a year of two digits: it is at most 50 years ahead.
    /// - Returns: Nil for anything else, and for what no calendar has.
    static func parse(_ text: String, now: Date) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.split(separator: " ")
        // The name of the day says nothing that the date does not.
        switch words.count {
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            // Sun, 06 Nov 1994 08:49:37 GMT
            return date(year: number(words[3], count: 4), month: words[2], day: number(words[1], count: 2), words[4])
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, let short = number(parts[2], count: 2) else { return nil }
            let day = number(parts[0], count: 2)
            guard let found = date(year: century(of: now) + short, month: parts[1], day: day, words[2]) else {
                return nil
            }
            guard found.timeIntervalSince(now) > 50 * 365.25 * 86_400 else { return found }
            return date(year: century(of: now) - 100 + short, month: parts[1], day: day, words[2])
        case 5:
            // Sun Nov  6 08:49:37 1994
            let day = number(words[2], count: words[2].utf8.count == 1 ? 1 : 2)
            return date(year: number(words[4], count: 4), month: words[1], day: day, words[3])
        default: return nil
        }
    }

    private static func date(year: Int?, month: Substring, day: Int?, _ time: Substring) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, count: 2) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2], hour < 24,
            minute < 60, second <= 60, let year, let day, let month = months.firstIndex(of: String(month))
        else { return nil }
        var parts = DateComponents()
        (parts.year, parts.month, parts.day) = (year, month + 1, day)
        // A leap second counts as the one before it.
        (parts.hour, parts.minute, parts.second) = (hour, minute, min(second, 59))
        parts.timeZone = .gmt
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        guard let date = calendar.date(from: parts),
            calendar.dateComponents([.month, .day], from: date) == DateComponents(month: month + 1, day: day)
        else { return nil }
        return date
    }

    private static func century(of now: Date) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.component(.year, from: now) / 100 * 100
    }

    private static func number(_ text: Substring, count: Int) -> Int? {
        guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
