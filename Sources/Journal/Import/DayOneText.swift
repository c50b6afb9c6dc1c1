import Foundation
import Kernel

/// The text of an entry of Day One as this program's Markdown.
enum DayOneText {
    private static let scheme = "dayone-moment:"

    /// Links to media by their ids: `dayone-moment://ID`, and with the kind before it, as `dayone-moment:/video/ID`.
    static func linked(_ text: String) -> String {
        guard TextBytes.contains("dayone-moment:", in: text) else { return text }
        var (result, rest) = ("", Substring(text))
        while let found = rest.range(of: scheme) {
            let target = rest[found.upperBound...]
            let path = target.prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "/" || $0 == "-" || $0 == "_")
            }
            let id = path.split(separator: "/").last.map(String.init).flatMap { StableID.of($0) }
            result += rest[..<found.lowerBound]
            result += id.map { "media://\($0)" } ?? scheme + path
            rest = target.dropFirst(path.count)
        }
        return result + rest
    }

    /// A heading in the first line, and the text behind it.
    static func heading(of text: String) -> (title: String, rest: String)? {
        guard text.hasPrefix("# ") else { return nil }
        let end = text.utf8.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
        let title = MarkdownText.plain(String(text[..<end])).trimmingCharacters(in: .whitespaces)
        guard !title.isEmpty else { return nil }
        return (title, String(text[end...].drop { $0 == "\n" }))
    }

    /// The words and media of a rich text, which is JSON in a text. Nil for anything else.
    static func plain(ofRich rich: JSONValue) -> String? {
        guard let contents = rich.parsedIfText(limit: JournalLimits.content * 2)?["contents"]?.arrayValue else {
            return nil
        }
        return contents.map { part in
            let embedded = (part["embeddedObjects"]?.arrayValue ?? []).compactMap { object -> String? in
                guard let id = object["identifier"]?.stringValue.flatMap({ StableID.of($0) }) else { return nil }
                return "![](media://\(id))\n"
            }
            let words = part["text"]?.stringValue ?? ""
            let level = part["attributes"]?["line"]?["header"]?.integerValue ?? 0
            let mark = (1...6).contains(level) ? String(repeating: "#", count: Int(level)) + " " : ""
            return mark + words + embedded.joined()
        }.joined()
    }
}
