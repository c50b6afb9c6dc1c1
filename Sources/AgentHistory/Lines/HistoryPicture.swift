import Conversations

/// A picture that a history holds, as its agent wrote it.
public struct HistoryPicture: Hashable, Sendable {
    /// The media type that the agent noted.
    public var mediaType: String?
    /// Base64 as it stands in the file; not checked.
    public var base64: String

    public init(mediaType: String?, base64: String) {
        self.mediaType = mediaType
        self.base64 = base64
    }
}

/// Collects the pictures of one record while its items are made, in the order of the items.
final class PictureSink {
    /// Nil for one that lies elsewhere.
    var pictures: [HistoryPicture?] = []
}

extension HistoryReader {
    /// The picture of one item.
    ///
    /// - Parameters:
    ///   - position: Of the item's line.
    ///   - item: The item's id.
    ///   - limit: Bytes of the picture; a larger one is not read.
    /// - Returns: Nil where the file holds none, or none that small.
    public func picture(
        of path: String,
        at position: Int64,
        item: String,
        limit: Int
    ) throws(AgentHistoryError) -> HistoryPicture? {
        let codex = self as? CodexHistory
        let file = codex == nil ? try HistoryFile.open(path) : try codex?.open(path)
        guard let file else { return nil }
        guard !file.path.hasSuffix(".json"), position >= 0 else { return nil }
        if position > 0, try file.bytes(at: position - 1, count: 1) != [0x0A] { return nil }
        // A line may hold several pictures beside a message.
        let longest = min(16 << 20, limit * 8 + (1 << 20))
        var lines = LineReader(
            file,
            from: position,
            limits: LineLimits(line: longest, budget: Int64(longest) + (1 << 20))
        )
        guard case .line(let line) = try lines.next(), case .record(var record) = HistoryRecord.read(line) else {
            return nil
        }
        let sink = PictureSink()
        record.pictures = sink
        let items = agent == .claudeCode ? ClaudeItems.items(of: record) : CodexPiece(record).items
        let pictures = items.filter { if case .image = $0.content { true } else { false } }
        guard pictures.count == sink.pictures.count, let index = pictures.firstIndex(where: { $0.id == item }),
            let picture = sink.pictures[index], picture.base64.utf8.count / 4 * 3 <= limit
        else { return nil }
        return picture
    }
}
