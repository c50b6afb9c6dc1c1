public import Kernel

/// The one documented request beside the handshake: the newest threads of the computer's coding agents.
public enum BridgeThreads {
    /// The method's name in documented programs.
    static let method = "threads.list"
    /// The number that is asked for where the client says nothing.
    public static let standardCount = 20
    /// The most that are asked for.
    public static let largestCount = 200

    /// The documented request.
    public static func request(topK: Int = standardCount) -> BridgeRequest {
        BridgeRequest(method, ["topK": .integer(Int64(min(max(topK, 1), largestCount)))])
    }

    /// The threads of an answer; items without an id are left out.
    public static func threads(in data: JSONValue) -> [BridgeThread] {
        (data["items"]?.arrayValue ?? []).prefix(largestCount).compactMap(BridgeThread.init)
    }
}

/// A thread as the documented list tells it. What is not known is nil.
public struct BridgeThread: Hashable, Sendable, Identifiable {
    /// The agent's own id of the thread.
    public var id: String
    /// One line.
    public var title: String?
    /// `codex` or `claude_code`.
    public var source: String?
    /// Milliseconds since 1970, as the other times.
    public var createdAt: Int64?
    /// When its file changed.
    public var updatedAt: Int64?
    /// When its last message was written.
    public var lastMessageAt: Int64?
    /// How many messages it has.
    public var messageCount: Int64?

    init?(_ value: JSONValue) {
        guard let id = value["id"]?.stringValue, !id.isEmpty else { return nil }
        self.id = id
        title = value["title"]?.stringValue
        source = value["source"]?.stringValue
        createdAt = value["created_at"]?.integerValue
        updatedAt = value["updated_at"]?.integerValue
        lastMessageAt = value["last_message_ts"]?.integerValue
        messageCount = value["message_count"]?.integerValue
    }
}
