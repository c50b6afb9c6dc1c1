import Conversations
import Foundation
import Kernel

/// Texts of what a person may allow. They are shown as the agent wrote them, or the request can only be declined: nothing is folded or cut,
/// since what is allowed is what is seen.
enum AskedText {
    /// UTF-8 bytes of a path, as Linux has them.
    static let pathLimit = 4096
    /// Characters of what is allowed beside a command or a change.
    static let moreLimit = 1500

    /// One line, such as a path, a rule or a host.
    ///
    /// - Returns: Nil where it is empty, has more UTF-8 bytes, or control characters: part of it could pass for something else.
    static func line(_ text: String, limit: Int = pathLimit) -> String? {
        guard !text.isEmpty, text.utf8.count <= limit else { return nil }
        return text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) } ? text : nil
    }

    /// Members that ask for nothing where they are false, as Claude Code and other agents often send them. Another member, such as
    /// `sandbox`, can ask for more by being false.
    private static let harmlessIfFalse: Set = [
        "replace_all", "replaceAll", "run_in_background", "is_background", "dangerouslyDisableSandbox",
    ]

    /// Members that what is shown does not tell, as the agent wrote them. What is null asks for nothing.
    static func others(of input: JSONValue, but told: Set<String>) -> [String] {
        (input.objectValue ?? [:]).sorted { $0.key < $1.key }
            .filter { !told.contains($0.key) && $0.value != .null }
            .filter { $0.value != .bool(false) || !harmlessIfFalse.contains($0.key) }
            .map { "\($0.key): \($0.value.canonicalText)" }
    }

    /// The sentence about what is allowed beside what is shown, for the reason; nil where it is too long for that.
    static func more(_ intro: String, _ lines: [String]) -> String? {
        guard !lines.isEmpty else { return "" }
        return line("\(intro) \(lines.joined(separator: ", "))", limit: moreLimit)
    }

    /// The agent's words, each a sentence, and behind them what is also allowed.
    static func reason(_ words: [String], _ more: String) -> String? {
        let own = AgentText.line(sentences(words), limit: more.isEmpty ? 2000 : 500)
        let all = [own, more].filter { !$0.isEmpty }
        return all.isEmpty ? nil : all.joined(separator: " ")
    }

    /// Words that were said apart, with a full stop behind each that ends without a sign and has another behind it.
    private static func sentences(_ words: [String]) -> String {
        let words = words.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
        return words.enumerated().map { index, text in
            index < words.count - 1 && text.last?.isPunctuation == false ? text + "." : text
        }.joined(separator: " ")
    }

    /// A tool's arguments; nil where they are too long to be shown whole.
    static func tool(_ name: String, id: String?, _ arguments: String) -> Approval.Subject? {
        let text = ItemText(unfolded: arguments)
        guard !text.isCut else { return nil }
        return .tool(ToolCall(callID: id, name: AgentText.line(name, limit: 200), arguments: text))
    }

    /// A file of a change, and its lines in the patch.
    struct ChangedFile {
        var path: String
        var kind: FileChange.Kind
        var lines: String
    }

    /// - Parameter isHeaded: Each file's lines stand behind a row with its path.
    /// - Returns: Nil where no file is named, too many are, or one of them cannot be named whole.
    static func change(_ files: [ChangedFile], id: String?, isHeaded: Bool) -> Approval.Subject? {
        guard (1...FileChange.fileLimit).contains(files.count) else { return nil }
        for file in files {
            guard line(file.path) != nil else { return nil }
            if case .moved(let target) = file.kind, line(target) == nil { return nil }
        }
        let patches = files.map { isHeaded ? "*** \($0.path)\n\($0.lines)" : $0.lines }
        return .fileChange(
            FileChange(
                callID: id,
                files: files.map { FileChange.File(path: $0.path, kind: $0.kind) },
                patch: ItemText(unfolded: patches.joined(separator: "\n")),
                outcome: .unknown
            )
        )
    }
}
