package import Foundation

/// A date in one of the three forms that HTTP has (RFC 9110 section 5.6.7).
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter now: Tells the century of a year of two digits: it is at most 50 years ahead.
    /// - Returns: Nil for anything else, and for what no calendar has.
    package static func parse(_ text: String, now: Date) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        // Sun, 06 Nov 1994 08:49:37 GMT. The name of the day says nothing that the date does not.
        if let found = text.wholeMatch(of: /[^ ]+, ([0-9]{2}) ([^ ]+) ([0-9]{4}) ([0-9:]{8}) GMT/)?.output {
            return date(year: Int(found.3), month: found.2, day: Int(found.1), found.4)
        }
        // Sunday, 06-Nov-94 08:49:37 GMT
        if let found = text.wholeMatch(of: /[^ ]+, ([0-9]{2})-([^ -]+)-([0-9]{2}) ([0-9:]{8}) GMT/)?.output {
            let year = Int(found.3).map { century(of: now) + $0 }
            guard let date = date(year: year, month: found.2, day: Int(found.1), found.4) else { return nil }
            guard date.timeIntervalSince(now) > 50 * 365.25 * 86_400 else { return date }
            return self.date(year: year.map { $0 - 100 }, month: found.2, day: Int(found.1), found.4)
        }
        // Sun Nov  6 08:49:37 1994
        if let found = text.wholeMatch(of: /[^ ]+ ([^ ]+) +([0-9]{1,2}) ([0-9:]{8}) ([0-9]{4})/)?.output {
            return date(year: Int(found.4), month: found.1, day: Int(found.2), found.3)
        }
        return nil
    }

    private static func date(year: Int?, month: Substring, day: Int?, _ time: Substring) -> Date? {
        let clock = time.split(separator: ":").compactMap { $0.utf8.count == 2 ? Int($0) : nil }
        guard clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60, let year, let day,
            let month = months.firstIndex(of: String(month))
        else { return nil }
        var parts = DateComponents()
        (parts.year, parts.month, parts.day) = (year, month + 1, day)
        // A leap second counts as the one before it.
        (parts.hour, parts.minute, parts.second) = (clock[0], clock[1], min(clock[2], 59))
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
}
