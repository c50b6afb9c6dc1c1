public import Commands
import Foundation
public import Kernel
public import Pictures

/// The content of the clipboard when a phone asked.
public struct ClipboardReading: MethodAnswer, Hashable {
    /// An image as it was sent and as it was.
    public struct ImageInfo: Hashable, Sendable {
        /// Nil for one in a format that is not ours.
        public var format: PictureFormat?
        /// The size of the picture as it was sent, in pixels.
        public var dimensions: PictureDimensions
        /// The size before it was made small enough for an answer.
        public var original: PictureDimensions

        public init(format: PictureFormat?, dimensions: PictureDimensions, original: PictureDimensions) {
            self.format = format
            self.dimensions = dimensions
            self.original = original
        }
    }

    /// The kind that was asked for, or the richest there was.
    public var content: ClipboardContent
    /// Formats that could be asked for besides, as MIME types.
    public var formats: [String]
    /// When it was read, in milliseconds since 1970. Nil from programs that do not say.
    public var timestamp: Int64?
    /// The format and sizes of an image, where the computer tells them.
    public var image: ImageInfo?
    /// The reason, in a sentence, why nothing was given though there is something.
    public var reason: String?

    public init(
        _ content: ClipboardContent,
        formats: [String] = [],
        timestamp: Int64? = nil,
        image: ImageInfo? = nil,
        reason: String? = nil
    ) {
        self.content = content
        self.formats = formats
        self.timestamp = timestamp
        self.image = image
        self.reason = reason
    }

    /// Whether an image was made smaller on the way.
    public var isScaled: Bool { image.map { $0.dimensions != $0.original } ?? false }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        self.init(
            try Self.content(members),
            formats: members.texts("formats", limit: 64) ?? [],
            timestamp: members.integer("timestamp"),
            reason: members.text("error")
        )
        if case .image(let bytes) = content {
            image = members.members("imageInfo").flatMap { ImageInfo($0, of: bytes) }
        }
    }

    private static func content(_ members: AnswerMembers) throws(RemoteError) -> ClipboardContent {
        let type = members.text("type") ?? ClipboardKind.text.rawValue
        guard let kind = ClipboardKind(rawValue: type) else { return type == "empty" ? .empty : .unknown }
        let text = members.text("content")
        switch kind {
        case .text:
            guard let text else { throw .malformedResult }
            return text.isEmpty ? .empty : .text(text)
        case .html:
            guard let html = text ?? members.text("html") else { throw .malformedResult }
            return html.isEmpty ? .empty : .html(html, plain: members.text("text"))
        case .image:
            guard let text, let image = [UInt8](base64OrDataURL: text) else { throw .malformedResult }
            return image.isEmpty ? .empty : .image(image)
        case .files:
            let lines = text?.split(whereSeparator: \.isNewline).map(String.init)
            guard let files = members.texts("files") ?? lines else { throw .malformedResult }
            return files.isEmpty ? .empty : .files(files)
        }
    }

    /// The documented members and those of existing programs; the content is always a text.
    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "success": true, "type": .string(content.type), "formats": .array(formats.map { .string($0) }),
            "content": .string(content.text ?? ""),
        ]
        if let timestamp { members["timestamp"] = .integer(timestamp) }
        if let reason { members["error"] = .string(reason) }
        switch content {
        case .html(_, .some(let plain)): members["text"] = .string(plain)
        case .files(let files): members["files"] = .array(files.map { .string($0) })
        case .image(let bytes):
            members["content"] = .string(Data(bytes).base64EncodedString())
            if let image {
                members["imageInfo"] = image.wire(size: bytes.count)
                members["scaled"] = .bool(isScaled)
            }
        case .empty, .unknown, .text, .html(_, .none): break
        }
        return .object(members)
    }
}

extension ClipboardReading.ImageInfo {
    /// Nil when it does not say how large the image is.
    fileprivate init?(_ members: AnswerMembers, of bytes: [UInt8]) {
        guard let width = members.count("width"), let height = members.count("height") else { return nil }
        self.init(
            format: PictureFormat(signatureOf: bytes),
            dimensions: PictureDimensions(width: width, height: height),
            original: PictureDimensions(
                width: members.count("originalWidth") ?? width,
                height: members.count("originalHeight") ?? height
            )
        )
    }

    fileprivate func wire(size: Int) -> JSONValue {
        [
            "width": .integer(Int64(dimensions.width)), "height": .integer(Int64(dimensions.height)),
            "size": .integer(Int64(size)), "format": format.map { .string($0.rawValue) } ?? .null,
            "originalWidth": .integer(Int64(original.width)), "originalHeight": .integer(Int64(original.height)),
        ]
    }
}

/// The answer of a set: content was copied at the computer.
public struct ClipboardWritten: MethodAnswer, Hashable {
    /// The kind that it was taken as. Text from programs that do not say.
    public var kind: ClipboardKind
    /// Bytes of the text's UTF-8, or of the PNG. Nil from programs that do not say.
    public var byteCount: Int?
    /// In milliseconds since 1970. Nil from programs that do not say.
    public var timestamp: Int64?

    public init(kind: ClipboardKind, byteCount: Int?, timestamp: Int64?) {
        self.kind = kind
        self.byteCount = byteCount
        self.timestamp = timestamp
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        kind = members.text("type").flatMap(ClipboardKind.init) ?? .text
        byteCount = members.count("bytesWritten")
        timestamp = members.integer("timestamp")
    }

    public var wire: JSONValue {
        .known([
            "ok": true, "success": true, "type": .string(kind.rawValue),
            "bytesWritten": byteCount.map { .integer(Int64($0)) }, "timestamp": timestamp.map(JSONValue.integer),
        ])
    }
}

/// Whether the computer tells when something is copied there.
public struct ClipboardWatch: MethodAnswer, Hashable {
    /// True from programs that do not say.
    public var isWatching: Bool
    /// How far apart the computer's looks at its clipboard are, in milliseconds. Nil from programs that do not say, and when it looks no more.
    public var intervalMilliseconds: Int64?

    public init(isWatching: Bool, intervalMilliseconds: Int64? = nil) {
        self.isWatching = isWatching
        self.intervalMilliseconds = intervalMilliseconds
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        isWatching = members.text("status").map { $0 == "watching" } ?? true
        intervalMilliseconds = members.integer("intervalMs").flatMap { $0 < 0 ? nil : $0 }
    }

    public var wire: JSONValue {
        .known([
            "success": true, "status": isWatching ? "watching" : "stopped",
            "intervalMs": intervalMilliseconds.map(JSONValue.integer),
        ])
    }
}

/// The clipboard's history, the newest first.
public struct ClipboardHistoryPage: MethodAnswer, Hashable {
    /// One copy, of text, HTML or files: images are not kept.
    public struct Entry: Hashable, Sendable {
        /// Grows from one entry to the next, as long as the computer's program runs.
        public var id: Int64
        /// Text from programs that do not say.
        public var kind: ClipboardKind
        /// The text of an entry: the markup of HTML, the URIs of files, one a line.
        public var text: String
        /// In milliseconds since 1970.
        public var timestamp: Int64

        public init(id: Int64, kind: ClipboardKind, text: String, timestamp: Int64) {
            self.id = id
            self.kind = kind
            self.text = text
            self.timestamp = timestamp
        }
    }

    /// Whether the computer's owner lets it remember anything.
    public var isEnabled: Bool
    /// At most ``ClipboardLimits/history``.
    public var entries: [Entry]
    /// How many there are, of which ``entries`` may be the newest.
    public var total: Int

    public init(isEnabled: Bool, entries: [Entry], total: Int) {
        self.isEnabled = isEnabled
        self.entries = entries
        self.total = total
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let list = members.list("history", "items") else { throw .malformedResult }
        entries = list.compactMap(Entry.init)
        total = max(members.count("total") ?? 0, entries.count)
        isEnabled = members.flag("enabled") ?? true
    }

    public var wire: JSONValue {
        let entries = JSONValue.array(entries.map(\.wire))
        return [
            "success": true, "enabled": .bool(isEnabled), "history": entries, "items": entries,
            "total": .integer(Int64(total)),
        ]
    }
}

extension ClipboardHistoryPage.Entry {
    /// Nil for one without a text.
    fileprivate init?(_ wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let text = members.text("content") else { return nil }
        self.init(
            id: members.integer("id") ?? 0,
            kind: members.text("type").flatMap(ClipboardKind.init) ?? .text,
            text: text,
            timestamp: members.integer("timestamp") ?? 0
        )
    }

    package var wire: JSONValue {
        [
            "id": .integer(id), "type": .string(kind.rawValue), "content": .string(text),
            "size": .integer(Int64(text.utf8.count)), "timestamp": .integer(timestamp),
        ]
    }
}
