public import Commands
import Foundation
public import Kernel
public import Pictures

/// The kind and the format of clipboard content that are asked for.
public struct ClipboardQuery: MethodParameters, Hashable {
    /// Nil: the richest there is, which is an image before HTML, text and files.
    public var kind: ClipboardKind?
    /// How an image is to be written.
    public var imageFormat: PictureFormat

    public init(_ kind: ClipboardKind? = nil, imageFormat: PictureFormat = .png) {
        self.kind = kind
        self.imageFormat = imageFormat
    }

    public init(wire: RemoteParameters) throws {
        kind = try wire.choice("type", of: ClipboardKind.self)
        imageFormat = try wire.choice("format", of: PictureFormat.self) ?? .png
    }

    public var wire: JSONValue {
        .known([
            "type": kind.map { .string($0.rawValue) },
            "format": imageFormat == .png ? Optional.none : .string(imageFormat.rawValue),
        ])
    }
}

/// The content to copy at the computer: one kind at a time is all that the systems' tools can offer.
public enum NewClipboardContent: MethodParameters, Hashable {
    /// A text of 1 to ``ClipboardLimits/text`` bytes of UTF-8.
    case text(String)
    /// Markup, as long as a text.
    case html(String)
    /// A picture's file, of 1 to ``ClipboardLimits/image`` bytes. The computer makes a PNG of it.
    case image([UInt8])

    /// The kind in the wire's `type`. Files can be read, not set.
    public var kind: ClipboardKind {
        switch self {
        case .text: .text
        case .html: .html
        case .image: .image
        }
    }

    public init(wire: RemoteParameters) throws {
        let limit = ClipboardLimits.text
        switch try wire.choice("type", of: ClipboardKind.self) ?? .text {
        case .text:
            // An empty one clears the clipboard; one that is missing is a mistake.
            guard let text = try wire.optionalText("content", limit: limit) else {
                throw RemoteFailure.badParameter("content", "a text of at most \(limit / 1024) KiB")
            }
            self = .text(text)
        case .html:
            // Beside `html`, `content` is its plain form.
            let html = try wire.optionalText("html", limit: limit)
            let content = try wire.optionalText("content", limit: limit)
            guard let text = [html, content].compactMap(\.self).first(where: { !$0.isEmpty }) else {
                throw RemoteFailure.badParameter("content", "a text of 1 byte to \(limit / 1024) KiB")
            }
            self = .html(text)
        case .image:
            self = .image(try Self.image(wire))
        case .files:
            throw RemoteFailure.badParameter("type", "one of text, html, image")
        }
    }

    private static func image(_ wire: RemoteParameters) throws(RemoteFailure) -> [UInt8] {
        let limit = ClipboardLimits.image
        let text = try wire.text("content", limit: (limit + 2) / 3 * 4 + 64)
        guard let image = [UInt8](base64OrDataURL: text), !image.isEmpty, image.count <= limit else {
            throw .badParameter("content", "an image in base64 of at most \(limit >> 20) MiB")
        }
        return image
    }

    public var wire: JSONValue {
        let content =
            switch self {
            case .text(let text), .html(let text): text
            case .image(let image): Data(image).base64EncodedString()
            }
        return ["type": .string(kind.rawValue), "content": .string(content)]
    }
}

/// How much of the history is asked for.
public struct ClipboardHistoryQuery: MethodParameters, Hashable {
    /// The newest so many, 1 to ``ClipboardLimits/history``.
    public var limit: Int

    public init(limit: Int = ClipboardLimits.history) { self.limit = limit }

    public init(wire: RemoteParameters) throws {
        let most = ClipboardLimits.history
        limit = Int(try wire.optionalInteger("limit", in: 1...Int64(most)) ?? Int64(most))
    }

    public var wire: JSONValue { ["limit": .integer(Int64(limit))] }
}
