import Conversations
import Kernel
import Storage

/// The searchable words of one item.
struct ItemWords: Sendable, Hashable {
    /// Members of a tool's arguments that say what it does; others are contents of files and options.
    private static let members = [
        "command", "cmd", "script", "file_path", "filePath", "notebook_path", "path", "pattern", "query", "url",
    ]
    /// UTF-8 bytes of arguments of another form.
    private static let argumentLimit = 1 << 10

    /// The kind of text. The raw value is the word of the wire.
    enum Kind: String {
        case user, agent, call, change, plan
    }

    let kind: Kind
    /// The text that ``SearchText/indexed(_:limit:)`` made.
    let text: String

    /// Takes the messages of people and agents, and the commands and files of tools; nil for outputs, thoughts and everything else.
    init?(_ item: ConversationItem) {
        let text: String
        switch item.content {
        case .userMessage(let said): (kind, text) = (.user, said.text)
        case .agentMessage(let said): (kind, text) = (.agent, said.text)
        case .toolCall(let call): (kind, text) = (.call, call.name + " " + Self.words(call.arguments.text))
        case .fileChange(let change): (kind, text) = (.change, Self.words(change))
        case .plan(let plan):
            kind = .plan
            text = ([plan.explanation?.text].compactMap(\.self) + plan.steps.map(\.text)).joined(separator: "\n")
        case .reasoning, .toolOutput, .compaction, .image, .notice, .unknown: return nil
        }
        self.text = SearchText.indexed(text)
        if self.text.isEmpty { return nil }
    }

    private static func words(_ arguments: String) -> String {
        guard let parsed = try? JSONValue(parsing: arguments.utf8), case .object(let values) = parsed else {
            return String(decoding: arguments.utf8.prefix(argumentLimit), as: UTF8.self)
        }
        return members.flatMap { words(values[$0]) }.joined(separator: " ")
    }

    private static func words(_ value: JSONValue?) -> [String] {
        switch value {
        case .string(let text)?: [text]
        case .array(let values)?: values.prefix(200).compactMap(\.stringValue)
        default: []
        }
    }

    private static func words(_ change: FileChange) -> String {
        change.files.flatMap { file -> [String] in
            if case .moved(let target) = file.kind { return [file.path, target] }
            return [file.path]
        }.joined(separator: "\n")
    }
}
