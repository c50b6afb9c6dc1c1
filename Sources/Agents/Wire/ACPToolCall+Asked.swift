import Conversations
import Kernel

/// A call as a person is asked to allow it: all that the agent tells of it is shown, or it can only be declined.
extension ACPToolCall {
    /// Bytes of a title that is shown whole as the tool's name.
    private static let nameLimit = 200

    /// Its input; nil where the agent tells none, or an empty one.
    var askedInput: JSONValue? {
        guard let input, !Self.isEmpty(input) else { return nil }
        return input
    }

    /// The change that it asks for, whole; nil where that cannot be shown.
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

    /// The parts of the call besides its changes: members of its input that they do not tell or, without an input, its other content.
    var besideChange: [String] {
        guard let input = askedInput else {
            let others = content.filter { $0["type"]?.stringValue != "diff" }
            return others.map(Self.whole).filter { !$0.allSatisfy(\.isWhitespace) }
        }
        guard input.objectValue != nil else { return [input.canonicalText] }
        let changes = content.filter { $0["type"]?.stringValue == "diff" }
        return ChangeMembers(paths: Set(changes.compactMap { $0["path"]?.stringValue })).others(of: input)
    }

    /// The use of a tool: its input or, without one, its title and its content. Gemini CLI tells a command in the title only.
    ///
    /// - Returns: Nil where nothing is known of the call, or where it is too long to be shown whole.
    var askedTool: Approval.Subject? {
        if let input = askedInput { return AskedText.tool(name, id: id, input.canonicalText) }
        guard let wholeTitle else { return nil }
        let parts = ([wholeTitle] + content.map(Self.whole)).filter { !$0.allSatisfy(\.isWhitespace) }
        guard !parts.isEmpty else { return nil }
        // The kind leaves the title to the text. Where it says nothing, the title is the name, and the text repeats it
        // only if the name does not show all of it.
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

/// Members of an input that the changes beside it tell: they name the files that are shown, or hold texts of which the differences were
/// made. Names as ACP agents send them, such as Claude Code's `file_path`, `old_string`, `new_string` and `content`, OpenCode's `filepath`
/// and `diff`, and Codex's `changes`.
private struct ChangeMembers {
    private static let files: Set = ["file_path", "filePath", "filepath", "path", "abs_path", "absolute_path"]
    private static let texts: Set = [
        "content", "old_string", "new_string", "oldString", "newString", "old_str", "new_str", "oldText", "newText",
        "old_text", "new_text", "file_text", "diff", "patch", "unified_diff",
    ]
    /// Members that only number the call.
    private static let numbers: Set = ["call_id", "turn_id"]

    /// The paths of the changed files.
    let paths: Set<String>

    /// Members that the changes do not tell.
    func others(of input: JSONValue) -> [String] {
        let told = (input.objectValue ?? [:]).filter { isTold($0.key, $0.value) }
        return AskedText.others(of: input, but: Set(told.keys))
    }

    private func isTold(_ name: String, _ value: JSONValue) -> Bool {
        switch value {
        case .string(let path) where Self.files.contains(name): isShown(path)
        // That a file goes, or is moved, is not seen in a difference.
        case .string(let kind) where name == "type": ["add", "update"].contains(kind)
        case .string: Self.texts.contains(name) || Self.numbers.contains(name)
        case .array(let edits) where name == "edits": edits.allSatisfy(isWholeTold)
        case .object(let changes) where name == "changes":
            changes.allSatisfy { paths.contains($0.key) && isWholeTold($0.value) }
        default: false
        }
    }

    private func isWholeTold(_ part: JSONValue) -> Bool { part.objectValue != nil && others(of: part).isEmpty }

    /// A path below the thread's folder is the end of the one that is shown; of several files it could be another one.
    private func isShown(_ path: String) -> Bool {
        paths.contains(path) || paths.count == 1 && paths.contains { $0.hasSuffix("/\(path)") }
    }
}
