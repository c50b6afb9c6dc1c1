import Accounts
import Chat
import GRDB
import Kernel

/// What a backend is told of an entry. Source: `docs/protocol.md`, "An app's backend".
enum WebhookBody {
    /// Nil where what it was about is not there any more.
    static func bytes(of entry: OutboxEntry, in database: Database) throws -> [UInt8]? {
        var members: [String: JSONValue] = ["id": .integer(entry.id), "time": .integer(entry.at)]
        switch entry.kind {
        case .signalOpened:
            guard let person = entry.person else { return nil }
            members["event"] = "signalOpened"
            members["userID"] = .string(person.imUserID)
            members["receive_id"] = .integer(entry.number)
        case .message, .recalled:
            guard let conversation = entry.conversation, let sender = entry.person,
                let place = try LogReading(database).place(of: sender, in: conversation)
                    ?? conversation.peer(of: sender).flatMap({
                        try LogReading(database).place(of: $0, in: conversation)
                    }),
                let (message, _) = try LogReading(database).raw(.seq(entry.seq), at: place)
            else { return nil }
            members["event"] = entry.kind == .message ? "message" : "recalled"
            members["conversationID"] = .string(conversation.text)
            members["message"] = shown(message)
        }
        return JSONValue.object(members).canonicalBytes
    }

    /// A message as its readers get it, which of a view-once picture is without its key. What is sealed is left out: the backend could not
    /// read it, and should not have it.
    private static func shown(_ message: StoredMessage) -> JSONValue {
        var data = MessageData(message)
        if case .sealed = data.payload { data.element = ["data": #"{"type":"sealed"}"#] }
        return data.wire(content: .object)
    }
}
