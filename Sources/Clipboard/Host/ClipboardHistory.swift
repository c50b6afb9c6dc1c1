import Clipboard
import CommandServer

/// The clipboard's history, in memory only: texts that are not too long, and never a password manager's.
struct ClipboardHistory: Sendable {
    static let countLimit = ClipboardLimits.history
    static let byteLimit = 256 << 10
    static let entryLimit = 64 << 10

    /// The oldest first.
    private var entries: [ClipboardHistoryPage.Entry] = []
    private var bytes = 0
    private var lastNumber: Int64 = 0

    mutating func add(_ content: ClipboardContent, isSecret: Bool, at timestamp: Int64) {
        guard !isSecret, let kind = content.kind, let text = content.text, !text.isEmpty,
            text.utf8.count <= Self.entryLimit
        else { return }
        guard entries.last.map({ $0.text != text || $0.kind != kind }) ?? true else { return }
        lastNumber += 1
        entries.append(ClipboardHistoryPage.Entry(id: lastNumber, kind: kind, text: text, timestamp: timestamp))
        bytes += text.utf8.count
        while entries.count > Self.countLimit || bytes > Self.byteLimit {
            bytes -= entries.removeFirst().text.utf8.count
        }
    }

    mutating func clear() {
        entries = []
        bytes = 0
    }

    var count: Int { entries.count }

    /// The newest first, as many as one answer holds.
    func newest(_ limit: Int) -> [ClipboardHistoryPage.Entry] {
        var newest: [ClipboardHistoryPage.Entry] = []
        var size = 0
        for entry in entries.reversed().prefix(limit) {
            // In the answer twice, under both names that clients read.
            size += 2 * (AnswerSize.bytes(of: entry.wire) + 1)
            guard size < AnswerSize.byteLimit - 1024 else { break }
            newest.append(entry)
        }
        return newest
    }
}
