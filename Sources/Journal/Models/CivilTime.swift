/// A moment in the calendar of Gregory and in UTC, by arithmetic alone: a calendar of the system takes microseconds for each, and an import reads
/// two moments of each story. Source of the arithmetic: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil` and
/// `civil_from_days`.
struct CivilTime: Hashable, Sendable {
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int
    /// 0 to 23.
    var hour = 0
    var minute = 0
    /// 0 to 60: leap seconds are written.
    var second = 0
    var millisecond = 0

    init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second, self.millisecond) = (hour, minute, second, millisecond)
    }

    /// - Parameter milliseconds: Since 1970.
    init(milliseconds: Int64) {
        let (days, rest) = Self.divided(Int(milliseconds), by: 86_400_000)
        // Years begin in March, so that a leap day is the last one of its year, and an era is 400 years, which always have as many days.
        let (era, dayOfEra) = Self.divided(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1000 % 60
        millisecond = rest % 1000
    }

    /// Milliseconds since 1970. A second 60 is the first one of the next minute.
    var milliseconds: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = Self.divided(shiftedYear, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let seconds = (era * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3600 + minute * 60 + second
        return Int64(seconds) * 1000 + Int64(millisecond)
    }

    /// Whether the month has that day.
    var isDay: Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[month - 1]
    }

    /// `2026-11-28`.
    var dayText: String {
        "\(year < 0 ? "-" : "")\(Self.digits(abs(year), 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
    }

    /// `2026-11-28T10:00:00.000Z`, RFC 3339 with exact milliseconds.
    var text: String {
        let clock = [hour, minute, second].map { Self.digits($0, 2) }.joined(separator: ":")
        return "\(dayText)T\(clock).\(Self.digits(millisecond, 3))Z"
    }

    /// A number from 0 on with zeros before it.
    static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    /// The quotient rounded down, and what remains, which is never negative.
    private static func divided(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
