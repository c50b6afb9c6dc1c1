public import Accounts

/// The id of the conversation of two people: `si_tb_10_tb_9`.
///
/// The two ids stand in the order of their bytes, not of their numbers: so it is in the programs that exist, whatever their document says.
public struct ConversationID: Hashable, Sendable, CustomStringConvertible {
    private static let prefix = "si_"
    private static let separator: Character = "_"

    /// The two people, in the order of their ids' bytes.
    public let people: [UserID]

    /// Nil for a person alone.
    public init?(_ one: UserID, _ other: UserID) {
        guard one != other else { return nil }
        people = one.imUserID.utf8.lexicographicallyPrecedes(other.imUserID.utf8) ? [one, other] : [other, one]
    }

    /// Nil for any other text: other kinds of conversations, a person alone, the two in the other order.
    public init?(_ text: String) {
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count == 5, text.hasPrefix(Self.prefix), let one = UserID(imUserID: "\(parts[1])_\(parts[2])"),
            let other = UserID(imUserID: "\(parts[3])_\(parts[4])"), let id = ConversationID(one, other),
            id.people == [one, other]
        else { return nil }
        self = id
    }

    /// The text on the wire.
    public var text: String { Self.prefix + people.map(\.imUserID).joined(separator: String(Self.separator)) }

    public var description: String { text }

    /// The other person; nil for somebody who is not in the conversation.
    public func peer(of person: UserID) -> UserID? {
        guard people.contains(person) else { return nil }
        return people.first { $0 != person }
    }
}
