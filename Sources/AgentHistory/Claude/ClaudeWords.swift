import Conversations
import Kernel

/// The words in a block of content, whatever its kind: a kind that is not known is never shown as nothing.
enum ClaudeWords {
    private static let depthLimit = 8
    private static let blockLimit = 1000

    /// The content of a tool's result, without its pictures.
    static func ofResult(_ content: JSONValue?) -> String {
        switch content {
        case nil, .null?: ""
        case .string(let text)?: text
        case .array(let blocks)?:
            blocks.prefix(blockLimit).filter { $0["type"]?.stringValue != "image" }.map { block($0, 0) }
                .joined(separator: "\n")
        case .some(let block): Self.block(block, 0)
        }
    }

    /// Its words, else a mark of its kind with its name.
    private static func block(_ block: JSONValue, _ depth: Int) -> String {
        if let text = block.stringValue { return text }
        let type = block["type"]?.stringValue
        if type == "text" { return block["text"]?.stringValue ?? "" }
        let title = block.line("title")
        if depth < depthLimit, let words = inner(block, depth), !words.isEmpty {
            return [title, words].compactMap(\.self).joined(separator: "\n")
        }
        let name =
            ["tool_name", "name", "title", "uri", "url", "source"].lazy.compactMap { block.line($0, limit: 500) }.first
            ?? block["resource"]?.line("uri", limit: 500)
        let kind = ShortText.line(type ?? "content", limit: 80)
        return name.map { "[\(kind): \($0)]" } ?? "[\(kind)]"
    }

    private static func inner(_ block: JSONValue, _ depth: Int) -> String? {
        if let text = block.text("text") { return text }
        for key in ["content", "source", "resource"] {
            switch block[key] {
            case .string(let text)? where key == "content": return text
            case .array(let parts)?:
                return parts.prefix(blockLimit).map { Self.block($0, depth + 1) }.joined(separator: "\n")
            case .object?:
                let part = block[key] ?? .null
                if part["type"]?.stringValue == "text", let data = part.text("data") { return data }
                if let words = inner(part, depth + 1) { return words }
            default: continue
            }
        }
        return nil
    }
}
