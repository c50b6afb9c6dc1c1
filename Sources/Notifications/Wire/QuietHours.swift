public import Foundation

/// A minute of a day, as people write it: `22:00`.
public struct TimeOfDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Minutes since midnight, 0 to 1439.
    public let minutes: Int

    fileprivate init(hour: Int) { minutes = hour * 60 }

    /// - Returns: Nil for a minute that no day has.
    public init?(minutes: Int) {
        guard (0..<24 * 60).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// - Returns: Nil for anything but `HH:mm`, 00:00 to 23:59, in ASCII digits.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 0x30 }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hour < 24, minute < 60 else { return nil }
        minutes = hour * 60 + minute
    }

    public var description: String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    public static func < (first: Self, second: Self) -> Bool { first.minutes < second.minutes }
}

/// When a computer disturbs no one, in its local time. Source: `docs/notifications.md`, "Rules".
public struct QuietHours: Hashable, Sendable {
    /// The first quiet minute.
    public var start: TimeOfDay
    /// The first minute that is not. Equal to ``start``: all day. Before it: of the next day.
    public var end: TimeOfDay

    /// 22:00 to 08:00: what they are where they are turned on and were never set. Source: `docs/notifications.md`, "Rules".
    public static let usual = QuietHours(start: TimeOfDay(hour: 22), end: TimeOfDay(hour: 8))

    public init(start: TimeOfDay, end: TimeOfDay) {
        self.start = start
        self.end = end
    }

    public func contains(_ time: TimeOfDay) -> Bool {
        if start < end { return start <= time && time < end }
        return start <= time || time < end
    }

    /// Whether a moment is in the quiet hours, by the wall clock: an hour that is left out or repeated when clocks change makes them
    /// neither longer nor shorter.
    public func contains(_ date: Date, in timeZone: TimeZone) -> Bool {
        let local = Int((date.timeIntervalSince1970 / 60).rounded(.down)) * 60 + timeZone.secondsFromGMT(for: date)
        let minutes = (local % 86_400 + 86_400) % 86_400 / 60
        return TimeOfDay(minutes: minutes).map(contains) ?? false
    }
}
