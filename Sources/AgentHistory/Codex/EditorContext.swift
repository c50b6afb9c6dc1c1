import Foundation

/// The context that editors and apps put before a person's request.
enum EditorContext {
    /// Known at the beginning of a line only, behind what an editor wrote: a person may write the same words.
    private static let shortMarker = BytePattern("\n## My request:", by: "#")
    private static let marker = BytePattern("## My request for Codex:", by: "#")
    private static let beginnings = [
        "# Files mentioned by the user", "# Context from my IDE", "# In app browser", browser,
    ]
    private static let browser = "<in-app-browser-context"
    private static let browserEnd = "</in-app-browser-context>"

    /// The person's request; where that is empty, the names of the attachments.
    static func request(in text: String) -> String {
        let rest = withoutBrowser(text)
        let found =
            part(behind: marker, in: rest) ?? (isWrapped(text) ? part(behind: shortMarker, in: rest) : nil)
        guard let found else { return rest.contains { !$0.isWhitespace } ? rest : text }
        guard found.allSatisfy(\.isWhitespace) else { return found }
        return attachments(in: rest) ?? found
    }

    private static func isWrapped(_ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace }
        return beginnings.contains { start.hasPrefix($0) }
    }

    private static func part(behind marker: BytePattern, in text: String) -> String? {
        guard let found = marker.firstMatch(in: text) else { return nil }
        let end = text.utf8.index(text.startIndex, offsetBy: found + marker.count)
        return String(text[end...].drop { $0.isWhitespace })
    }

    private static func withoutBrowser(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        guard start.hasPrefix(browser), let end = start.range(of: browserEnd) else { return text }
        return String(start[end.upperBound...].drop { $0.isWhitespace })
    }

    /// The names in the headings `## NAME: PATH`.
    private static func attachments(in text: String) -> String? {
        let names = text.split(whereSeparator: \.isNewline).prefix(200).compactMap { line -> String? in
            guard line.hasPrefix("## "), !line.hasPrefix("## My request"), let colon = line.range(of: ": ") else {
                return nil
            }
            let name = line[..<colon.lowerBound].dropFirst(3)
            return name.isEmpty ? nil : String(name)
        }
        return names.isEmpty ? nil : names.prefix(20).joined(separator: ", ")
    }
}
