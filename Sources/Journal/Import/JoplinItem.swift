import Foundation

/// A file of a Joplin export: a title, a body, and properties at the end.
struct JoplinItem: Hashable, Sendable {
    let title: String
    let body: String
    private let properties: [String: String]

    /// Nil for a text that does not end in properties.
    init?(_ text: String) {
        // By line feeds alone: a property may hold characters that other readers take for ends of lines.
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        var properties: [String: String] = [:]
        while let line = lines.last, !line.isEmpty {
            guard let colon = line.firstIndex(of: ":"),
                line[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
            else {
                return nil
            }
            properties[String(line[..<colon])] = Self.value(line[line.index(after: colon)...])
            lines.removeLast()
        }
        guard properties["type_"] != nil else { return nil }
        self.properties = properties
        title = lines.first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        body = lines.dropFirst().drop { $0.isEmpty }.joined(separator: "\n").trimmingCharacters(in: .newlines)
    }

    subscript(key: String) -> String? { properties[key] }

    /// Line ends of a property are written `\n`, and a real backslash before an n as two.
    private static func value(_ text: Substring) -> String {
        var (result, rest) = ("", text.first == " " ? text.dropFirst() : text)
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.first else {
                result.append(character)
                continue
            }
            switch next {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "\\": result.append("\\")
            default:
                result.append(character)
                continue
            }
            rest.removeFirst()
        }
        return result
    }
}
