import Foundation
import Testing

@testable import Journal

@Suite("The calendar of exports", .timeLimit(.minutes(2)))
struct CivilTimeTests {
    @Test("is the system's own, from long before 1970 to long after, and goes both ways")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        // From 1600, when the calendar was in use: steps that meet all months, leap days and hours.
        for milliseconds in stride(from: Int64(-11_676_096_000_000), to: 32_503_680_000_000, by: 2_345_678_901_234 / 97)
        {
            let time = CivilTime(milliseconds: milliseconds)
            let date = Date(timeIntervalSince1970: (Double(milliseconds) / 1000).rounded(.down))
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            #expect(time.year == parts.year && time.month == parts.month && time.day == parts.day)
            #expect(time.hour == parts.hour && time.minute == parts.minute && time.second == parts.second)
            #expect(time.milliseconds == milliseconds && time.isDay)
        }
    }

    @Test(
        "moments are written with exact milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_007, "2000-02-29T00:00:00.007Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func text(milliseconds: Int64, text: String) { #expect(CivilTime(milliseconds: milliseconds).text == text) }

    @Test("days that no month has are none")
    func days() {
        for (year, month, day) in [
            (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0),
        ] {
            #expect(!CivilTime(year: year, month: month, day: day).isDay)
        }
        #expect(CivilTime(year: 2000, month: 2, day: 29).isDay && CivilTime(year: 2024, month: 12, day: 31).isDay)
    }
}
