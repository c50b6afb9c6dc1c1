public import Foundation
import Kernel

/// A line with the time between two rows: derived from the list, never a part of it. Source: rules C3, B11.
public struct TimeMarker: Hashable, Sendable, Identifiable {
    /// A row gets a marker when it is later than the last marker by more than this many milliseconds.
    public static let gap: Int64 = 300_000

    /// Milliseconds since 1970.
    public let time: Int64

    public init(time: Int64) { self.time = time }

    /// Each marker is later than the one before it, so no two have one id.
    public var id: String { "time_\(time)" }

    /// "MM-dd HH:mm" in the calendar's time zone.
    public func text(_ calendar: Calendar) -> String {
        let date = Date(millisecondsSince1970: time)
        let day = calendar.dateComponents([.month, .day], from: date)
        return "\(ClockText.two(day.month))-\(ClockText.two(day.day)) \(ClockText.hourAndMinute(date, calendar))"
    }
}

/// A row of the screen.
public enum TimelineEntry: Hashable, Sendable, Identifiable {
    case marker(TimeMarker)
    case message(ChatMessage)

    public var id: String {
        switch self {
        case .marker(let marker): marker.id
        // Two people may choose one id.
        case .message(let message): "\(message.sender)/\(message.id)"
        }
    }

    /// The messages with their markers, oldest first.
    public static func entries(of messages: some Sequence<ChatMessage>) -> [TimelineEntry] {
        var entries: [TimelineEntry] = []
        var last: Int64 = 0
        for message in messages {
            let (distance, overflowed) = message.displayTime.subtractingReportingOverflow(last)
            // A time before 1970, or one so far ahead that the distance does not fit, is a broken clock's.
            if !overflowed, distance > TimeMarker.gap {
                entries.append(.marker(TimeMarker(time: message.displayTime)))
                last = message.displayTime
            }
            entries.append(.message(message))
        }
        return entries
    }
}
