import Conversations
import Kernel

/// Texts of agents, bounded.
enum AgentText {
    /// One line for a sentence.
    static func line(_ text: String, limit: Int = 300) -> String { ShortText.line(text, limit: limit) }

    /// A name that is handed back as it came; nil where it is missing or too long for that.
    static func name(_ value: JSONValue?, limit: Int = 200) -> String? {
        guard let text = value?.stringValue, !text.isEmpty, text.utf8.count <= limit else { return nil }
        return text
    }

    /// The beginning of a text, whole characters only.
    static func beginning(of text: String, bytes limit: Int) -> String { String(text.prefixOfUTF8(limit)) }

    /// Choices as they are shown, each once, and what they stand for.
    static func choices(_ labels: some Sequence<String>) -> (shown: [String], originals: [String: String]) {
        var shown: [String] = []
        var originals: [String: String] = [:]
        for label in labels {
            let name = line(label, limit: 500)
            guard originals[name] == nil else { continue }
            shown.append(name)
            originals[name] = label
        }
        return (shown, originals)
    }

    /// Choices with what the agent says about them, in Claude Code's and Codex's members.
    static func choices(
        _ options: [JSONValue]
    ) -> (shown: [String], originals: [String: String], details: [String: Approval.ChoiceDetail]) {
        let options = options.prefix(100).filter { $0["label"]?.stringValue != nil }
        let (shown, originals) = choices(options.compactMap { $0["label"]?.stringValue })
        var details: [String: Approval.ChoiceDetail] = [:]
        for option in options {
            let name = line(option["label"]?.stringValue ?? "", limit: 500)
            if details[name] == nil { details[name] = detail(option["description"], preview: option["preview"]) }
        }
        return (shown, originals, details)
    }

    /// Nil where nothing is said.
    static func detail(_ description: JSONValue?, preview: JSONValue? = nil) -> Approval.ChoiceDetail? {
        let text = description?.stringValue.map { line($0, limit: 1000) }.flatMap { $0.isEmpty ? nil : $0 }
        let preview = preview?.stringValue.flatMap {
            $0.isEmpty ? nil : ItemText($0, limit: Approval.ChoiceDetail.previewLimit)
        }
        return text == nil && preview == nil ? nil : Approval.ChoiceDetail(text: text, preview: preview)
    }

    /// A line feed that a carriage return stands before ends a row, too: as a `Character` the two are one, which is no line feed.
    private static func rows(of text: String) -> [Substring] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Lines with a mark before each, as in a patch.
    static func marked(_ mark: String, _ text: String) -> String {
        guard !text.isEmpty else { return "" }
        var lines = rows(of: text)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { mark + $0 + "\n" }.joined()
    }

    /// The lines that go and those that come, without what both texts begin and end with.
    static func difference(from old: String, to new: String) -> String {
        let before = rows(of: old)
        let after = rows(of: new)
        let shorter = min(before.count, after.count)
        var start = 0
        while start < shorter, before[start] == after[start] { start += 1 }
        var end = 0
        while end < shorter - start, before[before.count - 1 - end] == after[after.count - 1 - end] { end += 1 }
        let gone = before[start..<(before.count - end)]
        let come = after[start..<(after.count - end)]
        return "@@ -\(start + 1),\(gone.count) +\(start + 1),\(come.count) @@\n"
            + gone.map { "-\($0)\n" }.joined() + come.map { "+\($0)\n" }.joined()
    }
}
