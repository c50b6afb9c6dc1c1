import ArgumentParser
import Foundation
import Kernel

/// A moment as a person types it: `2026-11-28`, `2026-11-28 18:30` in this machine's time zone, or RFC 3339 with a zone.
struct JournalDate: ExpressibleByArgument, Hashable, Sendable {
    /// Since 1970.
    let milliseconds: Int64

    /// Nil for anything else, which is told as wrong use.
    init?(argument: String) { self.init(argument, timeZone: .current) }

    init?(_ text: String, timeZone: TimeZone) {
        if let date = try? Date(text, strategy: .iso8601) {
            milliseconds = date.millisecondsSince1970
            return
        }
        let numbers = text.split { !$0.isNumber }.map { Int($0) }
        let shape = text.map { $0.isNumber ? "0" : $0 }
        guard ["0000-00-00", "0000-00-00 00:00", "0000-00-00T00:00"].contains(String(shape)),
            let year = numbers[0], let month = numbers[1], let day = numbers[2]
        else { return nil }
        let (hour, minute) = numbers.count == 5 ? (numbers[3] ?? 0, numbers[4] ?? 0) : (0, 0)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute)
        // A day that a month does not have would become one of the next.
        guard hour < 24, minute < 60, let date = calendar.date(from: parts),
            calendar.dateComponents([.year, .month, .day], from: date)
                == DateComponents(year: year, month: month, day: day)
        else { return nil }
        milliseconds = date.millisecondsSince1970
    }
}
