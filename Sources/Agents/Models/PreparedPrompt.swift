/// A prompt whose attachments are files.
struct PreparedPrompt: Hashable, Sendable {
    struct File: Hashable, Sendable {
        var path: String
        var name: String
        /// A picture of a type that models read.
        var isImage: Bool
    }

    /// UTF-8 bytes of the words by which a prompt is named that was not delivered.
    static let naming = 4 << 10

    var text: String
    var files: [File] = []

    /// The words, and the paths of its files, by which it is named where it reaches the agent no more.
    var words: String { AgentText.beginning(of: text(naming: files), bytes: Self.naming) }

    /// The words for the person about prompts that reach the agent no more, to follow another sentence; empty where there are none.
    static func sentence(notDelivered prompts: [PreparedPrompt]) -> String {
        guard !prompts.isEmpty else { return "" }
        return " Not delivered: "
            + prompts.map { "\"\(AgentText.line($0.words, limit: 100))\"" }.joined(separator: ", ")
    }

    /// The text with the paths of files that the protocol has no other place for.
    func text(naming files: [File]) -> String {
        guard !files.isEmpty else { return text }
        let list = files.map { "- \($0.path)" }.joined(separator: "\n")
        return (text.isEmpty ? "" : text + "\n\n") + "Attached files:\n" + list
    }
}
