public import Kernel

/// Conversations by their ids: those that are pinned.
public struct ConversationIDs: ChatWire {
    public var conversations: [ConversationID]

    public init(_ conversations: [ConversationID]) { self.conversations = conversations }

    public init(wire: JSONValue) throws(ChatError) {
        conversations = try WireMembers(wire, of: "answer").conversations("conversationIDs")
    }

    public var wire: JSONValue { ["conversationIDs": .conversations(conversations)] }
}
