import Foundation
import Notifications
import Testing

@Suite("Quiet hours")
struct QuietHoursTests {
    @Test(
        "times are read exactly",
        arguments: [
            ("00:00", 0), ("23:59", 1439), ("08:05", 485), ("24:00", nil), ("8:05", nil), ("08:60", nil), ("", nil),
            ("08:5x", nil),
            ("０８:05", nil), ("08:055", nil), ("-1:00", nil),
        ] as [(String, Int?)]
    )
    func reading(_ text: String, minutes: Int?) { #expect(TimeOfDay(text)?.minutes == minutes) }

    /// Around each change of the clock, in every zone that this system knows: the hour and minute of a calendar decide.
    @Test("what the wall clock shows decides, in every zone and when clocks change")
    func everyZone() throws {
        let hours = [("22:00", "08:00"), ("01:30", "02:30"), ("12:00", "12:00"), ("00:00", "06:15")]
        let quiet = try hours.map { try QuietHours(start: #require(TimeOfDay($0.0)), end: #require(TimeOfDay($0.1))) }
        for name in TimeZone.knownTimeZoneIdentifiers {
            let zone = try #require(TimeZone(identifier: name))
            for date in Self.interesting(in: zone) {
                var calendar = Calendar(identifier: .gregorian)
                calendar.timeZone = zone
                let parts = calendar.dateComponents([.hour, .minute], from: date)
                let time = try #require(TimeOfDay(minutes: (parts.hour ?? -1) * 60 + (parts.minute ?? -1)))
                for hours in quiet {
                    #expect(hours.contains(date, in: zone) == Self.isWithin(hours, time), "\(name) \(date) \(hours)")
                }
            }
        }
    }

    /// The minutes around each change of the clock, and some that are far from any.
    private static func interesting(in zone: TimeZone) -> [Date] {
        var dates = (0..<24).map { Date(timeIntervalSince1970: 1_790_000_000 + Double($0) * 3_617) }
        var at = Date(timeIntervalSince1970: 1_735_000_000)
        for _ in 0..<6 {
            guard let next = zone.nextDaylightSavingTimeTransition(after: at),
                next < Date(timeIntervalSince1970: 1_860_000_000)
            else { break }
            dates += (-6...6).map { next.addingTimeInterval(Double($0) * 1_799) }
            at = next
        }
        return dates
    }

    /// The rule in words: minute by minute from the beginning until the end comes.
    private static func isWithin(_ hours: QuietHours, _ time: TimeOfDay) -> Bool {
        var minute = hours.start.minutes
        repeat {
            if minute == time.minutes { return true }
            minute = (minute + 1) % 1440
        } while minute != hours.end.minutes
        return false
    }
}
