import Clipboard

/// The formats that the clipboard's owner can give, and those of them that belong to a kind.
struct ClipboardOffers: Hashable, Sendable {
    private static let countLimit = 64
    private static let nameLimit = 128

    /// The best first. X11 names some texts in its own way; the plain ones may be in another encoding.
    private static let known: [ClipboardKind: [String]] = [
        .text: ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain;charset=UTF-8", "text/plain", "STRING", "TEXT"],
        .html: ["text/html", "text/html;charset=utf-8"],
        .image: ["image/png", "image/jpeg", "image/webp", "image/gif"],
        .files: ["text/uri-list", "x-special/gnome-copied-files"],
    ]

    let names: [String]

    init(_ names: [String]) {
        self.names = Array(names.lazy.filter { $0.utf8.count <= Self.nameLimit }.prefix(Self.countLimit))
    }

    func best(for kind: ClipboardKind) -> String? { Self.known[kind]?.first(where: names.contains) }

    /// The richest first. A picture beside plain text is the look of that text, as of a spreadsheet's cells; browsers that copy a picture put
    /// HTML beside it, and no plain text.
    var kinds: [ClipboardKind] {
        let isLook = best(for: .text) != nil
        let order: [ClipboardKind] = isLook ? [.html, .text, .image, .files] : [.image, .html, .files]
        return order.filter { best(for: $0) != nil }
    }

    /// The formats as MIME types, each once.
    var formats: [String] {
        var formats: [String] = []
        for name in names {
            let format = Self.known[.text]?.contains(name) == true ? "text/plain" : name
            if format.contains("/"), !formats.contains(format) { formats.append(format) }
        }
        return formats
    }

    /// Password managers mark what they copy, so that no program keeps it.
    var isSecret: Bool { names.contains("x-kde-passwordManagerHint") }
}
