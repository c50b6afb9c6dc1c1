import Accounts

/// The documented helper for ids of people and conversations: texts in, texts out. New code uses ``ConversationID`` and `UserID`.
public enum ConversationIDHelper {
    /// `tb_7`; nil for a number that no account has.
    public static func imUID(_ uid: Int64) -> String? { UserID(uid)?.imUserID }

    /// The number of `tb_7`; nil for any other text. Source: rule F1.
    public static func uid(fromIMUID text: String) -> Int64? { UserID(imUserID: text)?.number }

    /// `si_tb_10_tb_9`; nil for a person alone. Source: rule F2.
    public static func conversationID(_ one: Int64, _ other: Int64) -> String? {
        guard let one = UserID(one), let other = UserID(other) else { return nil }
        return ConversationID(one, other)?.text
    }

    /// The other person; nil where `me` is not in the conversation, and for other kinds of conversations. Source: rule F3.
    public static func targetUID(of conversationID: String, me: Int64) -> Int64? {
        guard let me = UserID(me) else { return nil }
        return ConversationID(conversationID)?.peer(of: me)?.number
    }
}
