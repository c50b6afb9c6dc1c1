import Conversations
import Kernel

/// A history of the TypeScript program: one JSON object, `{session, items}`.
struct CodexObject {
    let session: JSONValue
    let items: [JSONValue]
    private let byteCount: Int64
    private let identity: FileIdentity

    init(_ file: HistoryFile) throws(AgentHistoryError) {
        identity = file.identity
        let size = identity.size
        guard size <= CodexHistory.objectLimit else {
            throw .tooLarge(path: file.path, limit: CodexHistory.objectLimit)
        }
        let bytes = try file.bytes(at: 0, count: Int(size))
        byteCount = Int64(bytes.count)
        // A file that is being written is half an object.
        let value = (try? JSONValue(parsingForeign: bytes)) ?? TruncatedJSON.value(of: bytes)?.value
        guard let value, case .object? = value["session"] else {
            session = .object([:])
            items = []
            return
        }
        session = value["session"] ?? .object([:])
        items = value["items"]?.arrayValue ?? []
    }

    /// Offsets are numbers of items.
    func page(from cursor: ConversationCursor, limits: PageLimits) -> ConversationPage {
        let start = Int(clamping: min(max(0, cursor.offset), Int64(items.count)))
        let end = min(items.count, start + limits.items)
        return page(start..<end, older: nil)
    }

    func lastPage(before cursor: ConversationCursor?, limits: PageLimits) -> ConversationPage {
        let end = Int(clamping: min(max(0, cursor?.offset ?? .max), Int64(items.count)))
        let start = max(0, end - limits.items)
        return page(start..<end, older: start > 0 ? ConversationCursor(offset: Int64(start)) : nil)
    }

    private func page(_ range: Range<Int>, older: ConversationCursor?) -> ConversationPage {
        let found = range.flatMap {
            CodexItems.items(of: HistoryRecord(value: items[$0], position: Int64($0), length: 0))
        }
        return ConversationPage(
            items: CodexItems.merged(found),
            older: older,
            newer: ConversationCursor(offset: Int64(range.upperBound)),
            reachesEnd: range.upperBound == items.count,
            bytesRead: byteCount,
            file: identity
        )
    }
}
