public import Commands
public import Conversations
public import Kernel

/// The results of a search, the best first.
public struct ThreadHits: MethodAnswer, Hashable {
    /// One match.
    public typealias Hit = ThreadHit<ThreadSummary>

    /// The best first.
    public var items: [Hit]
    /// For the next page; nil at the end.
    public var next: String?
    /// While the computer still reads its files.
    public var indexing: IndexingProgress?

    public init(_ items: [Hit], next: String? = nil, indexing: IndexingProgress? = nil) {
        self.items = items
        self.next = next
        self.indexing = indexing
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let list = members.list("items") else { throw .malformedResult }
        self.init(
            list.compactMap { wire in
                guard let thread = wire["thread"].flatMap(ThreadSummary.init(wire:)) else { return nil }
                let snippet = wire["snippet"]?.stringValue ?? ""
                return Hit(
                    thread: thread,
                    item: wire["item"]?.stringValue,
                    cursor: wire["at"]?.stringValue.flatMap(ConversationCursor.init(text:)),
                    kind: wire["kind"]?.stringValue ?? "",
                    snippet: snippet,
                    marks: Self.marks(wire["marks"], in: snippet)
                )
            },
            next: members.text("next"),
            indexing: IndexingProgress(members.value("indexing"))
        )
    }

    /// Reads the marks of a hit. A mark that does not lie in the snippet, or overlaps another, is left out.
    private static func marks(_ wire: JSONValue?, in snippet: String) -> [Range<Int>] {
        var end = 0
        return (wire?.arrayValue ?? []).prefix(100).compactMap { pair in
            guard let ends = pair.arrayValue?.compactMap(\.integerValue), ends.count == 2,
                let lower = Int(exactly: ends[0]), let upper = Int(exactly: ends[1]), lower >= end, upper > lower,
                upper <= snippet.utf16.count
            else { return nil }
            end = upper
            return lower..<upper
        }
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "items": .array(
                items.map { hit in
                    var members: [String: JSONValue] = [
                        "thread": hit.thread.wire, "kind": .string(hit.kind), "snippet": .string(hit.snippet),
                        "marks": .array(
                            hit.marks.map { [.integer(Int64($0.lowerBound)), .integer(Int64($0.upperBound))] }
                        ),
                    ]
                    members["item"] = hit.item.map(JSONValue.string)
                    members["at"] = hit.cursor.map { .string($0.text) }
                    return .object(members)
                }
            )
        ]
        members["next"] = next.map(JSONValue.string)
        members["indexing"] = indexing?.wire
        return .object(members)
    }
}
