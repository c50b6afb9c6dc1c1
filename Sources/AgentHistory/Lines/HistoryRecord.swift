import Conversations
import Kernel

/// One line of a history as a JSON object.
struct HistoryRecord {
    let value: JSONValue
    /// The offset of the line's first byte.
    let position: Int64
    /// The length of the line in bytes, without its line feed.
    let length: Int64
    /// The text in which the kept beginning ends, for a line that is too long to hold.
    let cutText: String?
    /// Only the beginning of the line is here.
    let isCut: Bool
    /// The record is the end of a damaged line, and what stood before it is lost.
    var isTorn = false
    /// Gets the pictures that items leave out, where they are wanted.
    var pictures: PictureSink?

    init(value: JSONValue, position: Int64, length: Int64 = 0, cutText: String? = nil, isCut: Bool = false) {
        self.value = value
        self.position = position
        self.length = length
        self.cutText = cutText
        self.isCut = isCut
    }

    /// The result of reading a line.
    enum Reading {
        case record(HistoryRecord)
        case blank
        case unreadable(SkippedLines.Reason)

        /// Something of the line is lost that may have been a record.
        var hasGap: Bool {
            switch self {
            case .unreadable: true
            case .record(let record): record.isTorn
            case .blank: false
            }
        }
    }

    /// - Parameter selection: The members that are wanted. The beginning of a line that is too long to hold is read whole.
    static func read(_ line: HistoryLine, keeping selection: JSONSelection = .whole) -> Reading {
        switch line.content {
        case .whole(let whole):
            let bytes = HistoryLine.text(of: whole)
            if bytes.isEmpty { return .blank }
            if let value = try? JSONValue(parsingForeign: bytes, keeping: selection), case .object = value {
                return .record(HistoryRecord(value: value, position: line.offset, length: line.length))
            }
            if let value = lastRecord(in: bytes, keeping: selection) {
                var record = HistoryRecord(value: value, position: line.offset, length: line.length)
                record.isTorn = true
                return .record(record)
            }
            return .unreadable(UTF8Check.isValid(bytes) ? .malformed : .notUTF8)
        case .tooLong(let start, let tail):
            let head = HistoryLine.text(of: start)
            guard let found = TruncatedJSON.value(of: head), case .object(var members) = found.value else {
                return .unreadable(.tooLong)
            }
            members.merge(TruncatedJSON.names(in: tail)) { first, _ in first }
            return .record(
                HistoryRecord(
                    value: .object(members),
                    position: line.offset,
                    length: line.length,
                    cutText: found.cutText,
                    isCut: true
                )
            )
        }
    }

    /// The record that an offset lies in, where it is a short one and the offset is near its beginning; nil for others.
    static func around(_ offset: Int64, in file: HistoryFile) throws(AgentHistoryError) -> HistoryRecord? {
        let before = min(offset, 4096)
        let head = try file.bytes(at: offset - before, count: Int(before))
        guard
            let start = head.lastIndex(of: 0x0A).map({ offset - before + Int64($0) + 1 })
                ?? (before == offset ? 0 : nil)
        else { return nil }
        var lines = LineReader(file, from: start, limits: LineLimits(line: 64 << 10, budget: 128 << 10))
        guard case .line(let line) = try lines.next(), case .record(let record) = read(line) else { return nil }
        return record
    }

    /// Beginnings of objects in a damaged line that are tried, and bytes of all tries.
    private static let tries = (count: 64, bytes: 4 << 20)

    /// The whole record that a damaged line ends with. A program that dies while it writes leaves half a line, and the next one goes on behind
    /// it without a line feed.
    private static func lastRecord(in bytes: [UInt8], keeping selection: JSONSelection) -> JSONValue? {
        var left = tries
        var index = 1
        while left.count > 0, left.bytes > 0, index + 1 < bytes.count {
            guard let brace = bytes[index...].firstIndex(of: UInt8(ascii: "{")) else { return nil }
            index = brace + 1
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { continue }
            left.count -= 1
            left.bytes -= bytes.count - brace
            let rest = Array(bytes[brace...])
            guard let whole = try? JSONValue(parsingForeign: rest), case .object(let members) = whole,
                isRecord(members)
            else { continue }
            return selection.part(of: whole)
        }
        return nil
    }

    /// Whether an object is a line of its own, and no part of one.
    private static func isRecord(_ members: [String: JSONValue]) -> Bool {
        if members["thread_name"] != nil { return members["id"]?.stringValue != nil }
        guard members["type"]?.stringValue != nil else { return false }
        if case .object? = members["payload"] { return true }
        return members["uuid"] != nil || members["sessionId"] != nil || members["leafUuid"] != nil
    }

    /// A text of this record, bounded.
    func text(_ text: String) -> ItemText { ItemText(text, limit: ItemText.limit, isCutAlready: text == cutText) }

    /// A picture in a `data:` address, another address or a path.
    func image(_ address: String, _ origin: ImageLeftOut.Origin) -> ImageLeftOut {
        guard address.hasPrefix("data:"), let comma = address.utf8.firstIndex(of: UInt8(ascii: ",")) else {
            pictures?.pictures.append(nil)
            return ImageLeftOut(origin: origin, location: ShortText.line(address, limit: 1000))
        }
        let word = address.utf8.dropFirst(5).prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }.prefix(100)
        let type = String(Substring(word))
        let data = address.utf8.distance(from: comma, to: address.utf8.endIndex) - 1
        pictures?.pictures.append(
            HistoryPicture(mediaType: type, base64: String(address[address.utf8.index(after: comma)...]))
        )
        return ImageLeftOut(origin: origin, mediaType: type, byteCount: byteCount(base64: address, data))
    }

    /// A picture whose base64 stands by itself.
    func image(base64 data: String, type: String?, _ origin: ImageLeftOut.Origin) -> ImageLeftOut {
        pictures?.pictures.append(HistoryPicture(mediaType: type, base64: data))
        return ImageLeftOut(origin: origin, mediaType: type, byteCount: byteCount(base64: data, data.utf8.count))
    }

    /// How many bytes a base64 text stands for. Of one that was cut, what the rest of its line could hold.
    func byteCount(base64 text: String, _ length: Int) -> Int {
        guard text == cutText else { return length / 4 * 3 }
        return Int(max(Int64(length), length.asInt64 + self.length - LineLimits().head.asInt64)) / 4 * 3
    }
}

extension Int {
    fileprivate var asInt64: Int64 { Int64(self) }
}

extension JSONValue {
    /// The text at a key; nil where there is none, and for an empty one.
    func text(_ key: String) -> String? {
        guard let text = self[key]?.stringValue, !text.isEmpty else { return nil }
        return text
    }

    /// A text on one line at a key, for lists.
    func line(_ key: String, limit: Int = ShortText.titleLimit) -> String? {
        text(key).map { ShortText.line($0, limit: limit) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A text that is used as it is, to name or find something; nil where it is too long for that.
    func name(_ key: String, limit: Int = 4096) -> String? { text(key).flatMap { $0.utf8.count <= limit ? $0 : nil } }
}
