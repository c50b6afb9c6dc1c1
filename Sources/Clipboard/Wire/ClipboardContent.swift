/// The content of a clipboard when it was read.
public enum ClipboardContent: Hashable, Sendable {
    case empty
    /// Something is there, and no kind of ours.
    case unknown
    case text(String)
    /// - Parameter plain: The same without its markup, where the clipboard has that too.
    case html(String, plain: String?)
    /// The bytes of a picture, a PNG unless a JPEG was asked for.
    case image([UInt8])
    /// The files' URIs.
    case files([String])

    /// The wire's name of it.
    package var type: String {
        switch self {
        case .empty: "empty"
        case .unknown: "unknown"
        case .text: ClipboardKind.text.rawValue
        case .html: ClipboardKind.html.rawValue
        case .image: ClipboardKind.image.rawValue
        case .files: ClipboardKind.files.rawValue
        }
    }

    /// Nil when there is nothing, or no kind of ours.
    public var kind: ClipboardKind? { ClipboardKind(rawValue: type) }

    /// The text that can be told in an event or kept in the history; nil for an image.
    public var text: String? {
        switch self {
        case .text(let text), .html(let text, _): text
        case .files(let files): files.joined(separator: "\n")
        case .empty, .unknown, .image: nil
        }
    }

    /// Tells one content from another without keeping it. The plain form beside HTML may be the system's addition.
    package var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(text)
        if case .image(let image) = self { hasher.combine(image) }
        return hasher.finalize()
    }
}
