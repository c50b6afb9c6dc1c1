public import Kernel

/// The documented word that a received signal became a conversation.
public struct OpenIMReceive: ChatWire {
    /// The number of the record of the received signal: above 0.
    public var receiveID: Int64

    /// Nil for a text that is no such number: the request is then not made at all. Source: rule B20.
    public init?(receiveID text: String?) {
        guard let text, let number = Int64(text), number > 0 else { return nil }
        receiveID = number
    }

    public init(wire: JSONValue) throws(ChatError) {
        guard let number = try WireMembers(wire, of: "request").integer("receive_id", "receiveId"), number > 0 else {
            throw .malformed("receive_id")
        }
        receiveID = number
    }

    public var wire: JSONValue { ["receive_id": .integer(receiveID)] }
}
