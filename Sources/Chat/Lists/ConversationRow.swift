public import Foundation
import Kernel

/// The texts of a conversation's row in the list. Source: rule L5.
public struct ConversationRow: Hashable, Sendable {
    /// Nil for none.
    public let badge: String?
    /// The documented mark of a draft, which is drawn in red before ``preview``; nil where the row has no draft.
    public let draftMark: String?
    public let preview: String
    /// Empty for a conversation without messages.
    public let time: String

    /// - Parameter calendar: With the person's time zone.
    public init(_ conversation: Conversation, now: Date, calendar: Calendar) {
        badge = Self.badge(conversation.unreadCount)
        let draft = Draft.kept(conversation.draft)
        draftMark = draft == nil ? nil : "[草稿] "
        preview = draft ?? conversation.lastMessagePreview
        time =
            conversation.lastMessageTime > 0
            ? Self.time(Date(millisecondsSince1970: conversation.lastMessageTime), now: now, calendar: calendar) : ""
    }

    /// Nil at 0, "99+" above 99.
    public static func badge(_ unread: Int) -> String? {
        switch unread {
        case ...0: nil
        case 1...99: String(unread)
        default: "99+"
        }
    }

    /// "HH:mm" today, "昨天" yesterday, "M/d" before and, from a clock that is ahead, after.
    public static func time(_ date: Date, now: Date, calendar: Calendar) -> String {
        if calendar.isDate(date, inSameDayAs: now) { return ClockText.hourAndMinute(date, calendar) }
        if let yesterday = calendar.date(byAdding: .day, value: -1, to: now),
            calendar.isDate(date, inSameDayAs: yesterday)
        {
            return "昨天"
        }
        let day = calendar.dateComponents([.month, .day], from: date)
        return "\(day.month ?? 0)/\(day.day ?? 0)"
    }
}

/// Times as digits, without a formatter's locale.
enum ClockText {
    static func hourAndMinute(_ date: Date, _ calendar: Calendar) -> String {
        let time = calendar.dateComponents([.hour, .minute], from: date)
        return "\(two(time.hour)):\(two(time.minute))"
    }

    static func two(_ number: Int?) -> String {
        let number = number ?? 0
        return number < 10 ? "0\(number)" : String(number)
    }
}
