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
        // In the answer twice, under both names that clients read.
        AnswerSize.fitting(entries.reversed().prefix(limit), copies: 2, \.wire)
    }
}
