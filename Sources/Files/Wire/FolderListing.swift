public import Commands
public import Kernel
package import Transfers

/// A part of what is in a folder: folders first, then by name.
public struct FolderListing: MethodAnswer, Hashable {
    /// The folder's path, in full; empty where the computer does not say it.
    public var path: String
    /// The entries of this part; ``offset`` of the folder's come before them.
    public var entries: [FileEntry] = []
    /// Entries of the whole folder; nil where the computer does not say it.
    public var total: Int64?
    /// Entries before these; nil where the computer does not say it.
    public var offset: Int64?
    /// Where the next part begins; nil: this is the last one.
    public var nextOffset: Int64?
    /// In a recursive list, whether there is more than fits.
    public var isTruncated: Bool?
    /// How many small files the computer gives at a time; nil: one after the other.
    package var batch: BatchTerms?
    private var form = Form.full

    private enum Form: Hashable {
        case full
        case compact
        /// At the computer, which only writes it.
        case written(CompactEntries)
    }

    public init(path: String, entries: [FileEntry]) {
        self.path = path
        self.entries = entries
    }

    package init(path: String, compact: CompactEntries) {
        self.path = path
        form = .written(compact)
    }

    /// Reads `entries` and the `compact` form. An entry without a name is left out.
    ///
    /// - Throws: `RemoteError/malformedResult` without either, or for a compact form that cannot be read.
    public init(wire: JSONValue) throws(RemoteError) {
        path = wire["path"]?.stringValue ?? ""
        if let compact = wire["compact"]?.stringValue {
            form = .compact
            entries = try CompactEntries.read(compact, in: path)
        } else {
            guard let values = wire["entries"]?.arrayValue else { throw .malformedResult }
            entries = values.compactMap(FileEntry.init(wire:))
        }
        total = wire["total"]?.integerValue
        offset = wire["offset"]?.integerValue
        nextOffset = wire["nextOffset"]?.integerValue
        isTruncated = wire["truncated"]?.boolValue
        batch = BatchTerms(wire: wire["batch"])
    }

    /// The answer to `file.listDirectory`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        let compact: String? =
            switch form {
            case .full: nil
            case .compact: CompactEntries(entries).text
            case .written(let compact): compact.text
            }
        return .members([
            "success": true, "path": .string(path), "compact": .text(compact),
            "entries": compact == nil ? .array(entries.map(\.wire)) : nil, "total": .whole(total),
            "offset": .whole(offset), "nextOffset": .whole(nextOffset), "truncated": .flag(isTruncated),
            "batch": batch?.wire,
        ])
    }
}

/// The results of a search by name.
public struct SearchResults: MethodAnswer, Hashable {
    /// The path of the folder that was searched, in full; empty where the computer does not say it.
    public var path: String
    /// Files and folders with such a name: at most as many as ``SearchFiles/maxResults``.
    public var entries: [FileEntry]
    /// Whether there may be more than were asked for or fit.
    public var isTruncated: Bool

    public init(path: String, entries: [FileEntry], isTruncated: Bool) {
        self.path = path
        self.entries = entries
        self.isTruncated = isTruncated
    }

    /// Leaves out an entry without a name.
    ///
    /// - Throws: `RemoteError/malformedResult` without `results`.
    public init(wire: JSONValue) throws(RemoteError) {
        guard let values = wire["results"]?.arrayValue else { throw .malformedResult }
        path = wire["path"]?.stringValue ?? ""
        entries = values.compactMap(FileEntry.init(wire:))
        isTruncated = wire["truncated"]?.boolValue ?? false
    }

    /// The answer to `file.search`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        [
            "success": true, "path": .string(path), "results": .array(entries.map(\.wire)),
            "total": .integer(Int64(entries.count)), "truncated": .bool(isTruncated),
        ]
    }
}

extension FolderListing {
    /// Where the next part of the folder begins; nil where this is the last one.
    ///
    /// - Parameter start: Where this part was asked to begin.
    /// - Throws: ``TransferError/malformedAnswer(method:)`` for one that leads back, which would be asked for again for ever.
    package func nextOffset(after start: Int) throws(TransferError) -> Int? {
        guard let nextOffset else { return nil }
        guard let next = Int(exactly: nextOffset), next > start, next <= Int(Int32.max) else {
            throw .malformedAnswer(method: FileMethods.list.name)
        }
        return next
    }
}
