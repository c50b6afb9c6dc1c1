import CommandServer
import Kernel

/// What the clipboard held lately, in memory only: texts that are not too long, and never a password manager's.
struct ClipboardHistory: Sendable {
    static let countLimit = 50
    static let byteLimit = 256 << 10
    static let entryLimit = 64 << 10

    private struct Entry: Sendable {
        let number: Int64
        let type: String
        let text: String
        let timestamp: Int64

        var json: JSONValue {
            [
                "id": .integer(number), "type": .string(type), "content": .string(text),
                "size": .integer(Int64(text.utf8.count)), "timestamp": .integer(timestamp),
            ]
        }
    }

    /// The oldest first.
    private var entries: [Entry] = []
    private var bytes = 0
    private var lastNumber: Int64 = 0

    mutating func add(_ content: ClipboardContent, isSecret: Bool, at timestamp: Int64) {
        guard !isSecret, let text = content.text, !text.isEmpty, text.utf8.count <= Self.entryLimit else { return }
        guard entries.last.map({ $0.text != text || $0.type != content.type }) ?? true else { return }
        lastNumber += 1
        entries.append(Entry(number: lastNumber, type: content.type, text: text, timestamp: timestamp))
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
    func newest(_ limit: Int) -> [JSONValue] {
        var newest: [JSONValue] = []
        var size = 0
        for entry in entries.reversed().prefix(limit).map(\.json) {
            // In the answer twice, under both names that clients read.
            size += 2 * (AnswerSize.bytes(of: entry) + 1)
            guard size < AnswerSize.byteLimit - 1024 else { break }
            newest.append(entry)
        }
        return newest
    }
}
