import Conversations
import Kernel

/// A record of a session's tree: what is needed to tell whether it belongs to the conversation.
struct ClaudeNode {
    enum Parent: Hashable {
        case record(String)
        /// The conversation begins here.
        case none
        /// The records before it are meant, whichever they are.
        case unnamed
    }

    let items: [ConversationItem]
    /// The offset of its line's first byte.
    let position: Int64
    /// The offset behind its line.
    let end: Int64
    let id: String?
    let parent: Parent
    let messageID: String?
    /// Written by a person or the model, rather than by the program.
    let isMessage: Bool
    /// Whether a person wrote the record; false for one with tool results.
    let isPrompt: Bool
    let isSystem: Bool
    let toolUses: [String]
    let toolResults: [String]
    /// The words of a prompt that was handed over while a turn ran: of an attachment in the tree, or of a mark outside of it, which some
    /// versions write alone.
    let queued: Queued?

    enum Queued: Hashable {
        case attachment(String)
        case mark(String)
    }

    /// Nil for a record outside of the tree, or of a sub-agent where those are not wanted.
    ///
    /// - Parameter session: The file's own session, where it has any record of it: what other sessions wrote into the file is then no
    ///   beginning of a path. Nil takes all.
    init?(_ record: HistoryRecord, end: Int64, withSidechains: Bool, session: String?) {
        let value = record.value
        let type = value["type"]?.stringValue ?? ""
        let id = value.name("uuid", limit: 100)
        let absorbed = ClaudeItems.absorbed(value)
        guard withSidechains || value["isSidechain"]?.boolValue != true,
            id != nil || type == "user" || type == "assistant" || absorbed != nil
        else { return nil }
        let isForeign = session != nil && value.name("sessionId", limit: 200).map { $0 != session } ?? false
        // A mark that another session wrote is that session's own, too.
        guard !isForeign || absorbed == nil else { return nil }
        items = ClaudeItems.items(of: record)
        position = record.position
        self.end = end
        self.id = id
        let isQueued = ClaudeItems.isQueuedPrompt(value)
        isMessage = (type == "user" || type == "assistant" || isQueued) && !isForeign
        queued =
            absorbed.map { .mark($0) }
            ?? (isQueued ? .attachment(ClaudeItems.texts(value["attachment"]?["prompt"]).joined(separator: "\n")) : nil)
        isSystem = type == "system"
        let message = value["message"]
        messageID = type == "assistant" ? message?.name("id", limit: 200) : nil
        let blocks = message?["content"]?.arrayValue ?? []
        toolUses = type == "assistant" ? blocks.compactMap { $0["input"] == nil ? nil : $0.name("id", limit: 200) } : []
        toolResults = type == "user" ? blocks.compactMap { $0.name("tool_use_id", limit: 200) } : []
        isPrompt = type == "user" && toolResults.isEmpty && value["isCompactSummary"]?.boolValue != true
        if let parent = value.name("parentUuid", limit: 100) ?? value.name("logicalParentUuid", limit: 100) {
            self.parent = .record(parent)
        } else {
            // Only going back to the very first prompt makes a second beginning; the program's own records have none to name.
            self.parent = isPrompt && value["parentUuid"] == .null ? .none : .unnamed
        }
    }
}
