import ChatClient
import Control

/// Finds a message of a conversation by the beginning of its id, among the newest of this phone.
struct ChatMessages {
    /// Messages that are looked through.
    static let limit = 200
    /// Shorter beginnings are slips.
    private static let shortest = 4

    let client: ControlClient
    let conversation: ChatControl.ConversationEntry

    /// - Parameters:
    ///   - typed: The id or its beginning; nil for the newest that is `wanted`.
    ///   - wanted: Whether a message can be meant.
    /// - Throws: ``CommandError/noSuchMessage(_:)``, ``CommandError/severalMessages(_:)``.
    func find(
        _ typed: String?,
        _ wanted: (ChatControl.MessageEntry) -> Bool = { _ in true }
    ) async throws -> ChatControl.MessageEntry {
        let query = ChatControl.History(conversation.id, limit: Self.limit)
        let messages = try await client.call(ChatControl.history, query).messages
        guard let typed else {
            guard let newest = messages.last(where: wanted) else { throw CommandError.noSuchMessage(nil) }
            return newest
        }
        if let exact = messages.last(where: { $0.id == typed }) { return exact }
        let beginning = typed.hasSuffix("…") ? String(typed.dropLast()) : typed
        let found = messages.filter { beginning.utf8.count >= Self.shortest && $0.id.hasPrefix(beginning) }
        guard let only = found.last else { throw CommandError.noSuchMessage(typed) }
        guard found.count == 1 else { throw CommandError.severalMessages(typed) }
        return only
    }
}
