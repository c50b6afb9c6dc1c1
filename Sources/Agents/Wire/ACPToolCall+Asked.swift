import Conversations
import Kernel

/// A call as a person is asked to allow it: all that the agent tells of it is shown, or it can only be declined.
extension ACPToolCall {
    /// Bytes of a title that is shown whole as the tool's name.
    private static let nameLimit = 200

    /// What it gets; nil where the agent tells no input, or an empty one.
    var askedInput: JSONValue? {
        guard let input, !Self.isEmpty(input) else { return nil }
        return input
    }

    /// What it wants to change, whole; nil where that cannot be shown.
    var askedChange: Approval.Subject? {
        guard content.count(where: { $0["type"]?.stringValue == "diff" }) <= FileChange.fileLimit else { return nil }
        return AskedText.change(
            differences.map {
                AskedText.ChangedFile(path: $0.path, kind: $0.isNew ? .added : .updated, lines: $0.lines)
            },
            id: id,
            isHeaded: true
        )
    }

    /// The use of a tool: its input or, without one, its title and its content. Gemini CLI tells a command in the title only.
    ///
    /// - Returns: Nil where nothing is known of the call, or where it is too long to be shown whole.
    var askedTool: Approval.Subject? {
        if let input = askedInput { return AskedText.tool(name, id: id, input.canonicalText) }
        guard let wholeTitle else { return nil }
        let parts = ([wholeTitle] + content.map(Self.whole)).filter { !$0.allSatisfy(\.isWhitespace) }
        guard !parts.isEmpty else { return nil }
        // The kind leaves the title to the text. Where it says nothing, the title is the name, and the text repeats it only if the name
        // does not show all of it.
        let isNamedByTitle = !title.isEmpty && (kind.isEmpty || kind == "other")
        let isWholeInName = isNamedByTitle && title == wholeTitle && title.utf8.count <= Self.nameLimit
        let text = parts.dropFirst(isWholeInName ? 1 : 0).joined(separator: "\n\n")
        return AskedText.tool(isNamedByTitle ? title : kind, id: id, text)
    }

    /// A part of the content: a text as it is, anything else as JSON.
    private static func whole(_ part: JSONValue) -> String {
        let block = part["content"]
        guard part["type"]?.stringValue == "content", block?["type"]?.stringValue == "text",
            let text = block?["text"]?.stringValue
        else { return part.canonicalText }
        return text
    }
}
