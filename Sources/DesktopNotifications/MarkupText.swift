import Kernel

/// The plain text of a notification's body.
///
/// Bodies are a few tags of HTML, but programs also send plain text that was never escaped. So a `<` is only a tag where
/// a known name and an end follow, and every other one is itself. Source: the Desktop Notifications Specification, "Markup".
package enum MarkupText {
    /// Bytes of a body that are looked at.
    package static let inputLimit = 4 * BusNotification.bodyLimit
    /// Bytes of a tag, with its attributes.
    private static let tagLimit = 2048
    /// Bytes of an entity between `&` and `;`: the longest of HTML's is `CounterClockwiseContourIntegral`.
    private static let entityLimit = 31

    private enum Meaning {
        case style, lineBreak, block, image
    }

    /// The tags of the specification, and others that programs send.
    private static let tags: [String: Meaning] = [
        "b": .style, "i": .style, "u": .style, "a": .style, "s": .style, "em": .style, "strong": .style, "tt": .style,
        "code": .style, "small": .style, "big": .style, "sub": .style, "sup": .style, "font": .style, "span": .style,
        "qt": .style, "html": .style, "body": .style, "img": .image, "br": .lineBreak, "hr": .lineBreak, "p": .block,
        "div": .block, "ul": .block, "ol": .block, "li": .block, "table": .block, "tr": .block, "td": .style,
        "pre": .block, "blockquote": .block, "h1": .block, "h2": .block, "h3": .block,
    ]
    /// - Parameter markup: A program's body, of any length.
    /// - Returns: Text without tags, entities and control characters, cut to ``BusNotification/bodyLimit``.
    package static func plain(_ markup: String) -> String {
        let isCut = markup.utf8.count > inputLimit
        var reader = Reader(bytes: isCut ? whole(Array(markup.utf8.prefix(inputLimit))) : Array(markup.utf8)[...])
        var out: [UInt8] = []
        while let byte = reader.next() {
            switch byte {
            case UInt8(ascii: "<"):
                if let tag = reader.tag() { add(tag, to: &out) } else { out.append(byte) }
            case UInt8(ascii: "&"):
                if let text = reader.entity() { out += Array(text.utf8) } else { out.append(byte) }
            default:
                out.append(byte)
            }
        }
        return shown(BoundedText.decoded(out, isCut: isCut))
    }

    /// Plain text that a program sent, without control characters, and lines without words at its ends.
    ///
    /// - Returns: Text cut to ``BusNotification/bodyLimit``.
    package static func shown(_ text: String) -> String {
        let shown = BoundedText.cut(text, limit: inputLimit).unicodeScalars.filter { !BoundedText.isControl($0) }
        var ends = Substring(String(String.UnicodeScalarView(shown)))
        while let first = ends.first, first.isNewline { ends.removeFirst() }
        while let last = ends.last, last.isWhitespace { ends.removeLast() }
        return BoundedText.cut(String(ends), limit: BusNotification.bodyLimit)
    }

    /// The bytes without a tag or an entity at the end that was cut in two.
    private static func whole(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var kept = bytes[...]
        let ends = [
            (UInt8(ascii: "<"), UInt8(ascii: ">"), tagLimit), (UInt8(ascii: "&"), UInt8(ascii: ";"), entityLimit),
        ]
        for (opening, closing, limit) in ends {
            let tail = kept.suffix(limit)
            guard let place = tail.lastIndex(of: opening), !tail[place...].contains(closing) else { continue }
            kept = kept[..<place]
        }
        return kept
    }

    private static func add(_ tag: Tag, to out: inout [UInt8]) {
        let newline = UInt8(ascii: "\n")
        switch tag.meaning {
        case .style: break
        case .lineBreak: out.append(newline)
        case .block: if let last = out.last, last != newline { out.append(newline) }
        case .image: out += Array(plainAlternative(tag.alternative).utf8)
        }
    }

    /// An attribute holds entities, and no tags.
    private static func plainAlternative(_ bytes: [UInt8]) -> String {
        var reader = Reader(bytes: bytes)
        var out: [UInt8] = []
        while let byte = reader.next() {
            if byte == UInt8(ascii: "&"), let text = reader.entity() {
                out += Array(text.utf8)
            } else {
                out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private struct Tag {
        let meaning: Meaning
        /// The text that stands for a picture.
        var alternative: [UInt8] = []
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

        mutating func next() -> UInt8? {
            guard index < bytes.count else { return nil }
            defer { index += 1 }
            return bytes[index]
        }

        /// The tag whose `<` was read; nil, with nothing read, where there is none.
        mutating func tag() -> Tag? {
            var place = index
            if place < bytes.count, bytes[place] == UInt8(ascii: "/") { place += 1 }
            let start = place
            while place < bytes.count, place - start < 12, bytes[place].isLetterOrDigit() { place += 1 }
            let name = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
            guard let meaning = MarkupText.tags[name], let end = end(of: place) else { return nil }
            let attributes = bytes[place..<end]
            index = end + 1
            guard meaning == .image else { return Tag(meaning: meaning) }
            return Tag(meaning: .image, alternative: Reader.value(of: "alt", in: attributes))
        }

        /// The place of the `>`; one within quotes does not count.
        private func end(of start: Int) -> Int? {
            guard start < bytes.count, !bytes[start].isLetterOrDigit() else { return nil }
            var quote: UInt8?
            for place in start..<min(bytes.count, start + MarkupText.tagLimit) {
                let byte = bytes[place]
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    return place
                } else if byte == UInt8(ascii: "<") {
                    return nil
                }
            }
            return nil
        }

        private static func value(of name: String, in attributes: ArraySlice<UInt8>) -> [UInt8] {
            for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")] {
                let opening = Array(" \(name)=".utf8) + [quote]
                guard let found = attributes.firstRange(of: opening) else { continue }
                return Array(attributes[found.upperBound...].prefix { $0 != quote })
            }
            return []
        }

        /// The text of the entity whose `&` was read; nil, with nothing read, where there is none.
        mutating func entity() -> String? {
            let window = bytes[index..<min(bytes.count, index + MarkupText.entityLimit + 1)]
            guard let end = window.firstIndex(of: UInt8(ascii: ";")) else { return nil }
            let name = String(decoding: bytes[index..<end], as: UTF8.self)
            guard let text = HTMLEntities.text(of: name) ?? Reader.numbered(name) else { return nil }
            index = end + 1
            return text
        }

        private static func numbered(_ name: String) -> String? {
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
            guard let number, let scalar = Unicode.Scalar(number) else { return nil }
            return String(scalar)
        }
    }
}

extension MarkupText {
    /// Plain text as markup.
    package static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
