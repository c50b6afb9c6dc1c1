import Foundation

/// The part of YAML that stands before notes in Markdown: keys with a text, a list in brackets, or a list of lines that begin with a dash.
/// Everything else is passed over.
struct FrontMatter: Hashable, Sendable {
    private var values: [String: [String]] = [:]

    /// The front matter of a text and the text behind it. Without one the text is as it is.
    static func split(_ text: String) -> (matter: FrontMatter?, body: String) {
        guard text.hasPrefix("---\n") else { return (nil, text) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let end = lines.dropFirst().firstIndex(where: { $0 == "---" || $0 == "..." }), end <= 500 else {
            return (nil, text)
        }
        var matter = FrontMatter()
        matter.read(lines[1..<end])
        let body = lines[(end + 1)...].drop { $0.isEmpty }.joined(separator: "\n")
        return (matter, body)
    }

    /// The first value that any of these keys has.
    func first(_ keys: String...) -> String? { keys.lazy.compactMap { values[$0]?.first }.first { !$0.isEmpty } }

    /// The values of all of these keys.
    func all(_ keys: String...) -> [String] { keys.flatMap { values[$0] ?? [] }.filter { !$0.isEmpty } }

    private mutating func read(_ lines: ArraySlice<Substring>) {
        var key: String?
        for line in lines {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("- ") {
                if let key { values[key, default: []].append(Self.scalar(text.dropFirst(2))) }
            } else if line.first?.isWhitespace != true, let colon = text.firstIndex(of: ":") {
                let name = text[..<colon].lowercased()
                key = name
                values[name] = Self.list(text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces))
            }
        }
    }

    private static func list(_ text: String) -> [String] {
        guard text.hasPrefix("["), text.hasSuffix("]") else { return text.isEmpty ? [] : [scalar(Substring(text))] }
        var (parts, part, quote) = ([String](), "", Character?.none)
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == ",", quote == nil {
                parts.append(part)
                part = ""
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if quote == "\"", character == "\\" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            }
            part.append(character)
        }
        return (parts + [part]).map { scalar(Substring($0)) }.filter { !$0.isEmpty }
    }

    private static func scalar(_ text: Substring) -> String {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.count >= 2, let first = text.first, first == text.last else { return text }
        if first == "\"", let value = try? JSONDecoder().decode(String.self, from: Data(text.utf8)) { return value }
        return first == "'" ? String(text.dropFirst().dropLast()).replacing("''", with: "'") : text
    }
}
