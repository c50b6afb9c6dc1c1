public import Commands
public import Conversations
public import Kernel

extension IndexingProgress {
    init?(_ wire: JSONValue?) {
        guard let done = wire?["done"]?.integerValue, let total = wire?["total"]?.integerValue else { return nil }
        self.init(done: Int(clamping: done), total: Int(clamping: total))
    }

    var wire: JSONValue { ["done": .integer(Int64(done)), "total": .integer(Int64(total))] }
}

/// A page of the list of threads, the newest message first.
public struct ThreadList: MethodAnswer, Hashable {
    /// The documented member of every list.
    public var items: [ThreadSummary]
    /// For the next page; nil at the end.
    public var next: String?
    /// How many threads there are with the same filter; nil from programs that do not say.
    public var total: Int?
    /// While the computer still reads its files.
    public var indexing: IndexingProgress?

    public init(_ items: [ThreadSummary], next: String? = nil, total: Int? = nil, indexing: IndexingProgress? = nil) {
        self.items = items
        self.next = next
        self.total = total
        self.indexing = indexing
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let list = members.list("items") else { throw .malformedResult }
        self.init(
            list.compactMap(ThreadSummary.init(wire:)),
            next: members.text("next"),
            total: members.count("total"),
            indexing: IndexingProgress(members.value("indexing"))
        )
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["items": .array(items.map(\.wire))]
        members["next"] = next.map(JSONValue.string)
        members["total"] = total.map { .integer(Int64($0)) }
        members["indexing"] = indexing?.wire
        return .object(members)
    }
}

/// The folders that agents work in, the newest first.
public struct ThreadFolders: MethodAnswer, Hashable {
    /// At most ``ThreadFolder/limit``.
    public var folders: [ThreadFolder]

    public init(_ folders: [ThreadFolder]) { self.folders = folders }

    public init(wire: JSONValue) throws(RemoteError) {
        guard let list = try AnswerMembers(wire).list("folders", limit: ThreadFolder.limit) else {
            throw .malformedResult
        }
        folders = list.compactMap { wire in
            guard let path = wire["cwd"]?.stringValue else { return nil }
            return ThreadFolder(
                path: path,
                count: Int(clamping: wire["count"]?.integerValue ?? 0),
                updatedMilliseconds: wire["updated_at"]?.integerValue ?? 0
            )
        }
    }

    public var wire: JSONValue {
        [
            "folders": .array(
                folders.prefix(ThreadFolder.limit).map {
                    [
                        "cwd": .string($0.path), "count": .integer(Int64($0.count)),
                        "updated_at": .integer($0.updatedMilliseconds),
                    ]
                }
            )
        ]
    }
}
