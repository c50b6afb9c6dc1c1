import Conversations
import Foundation
import Kernel

/// The sender of a record in the person's name. Claude Code writes messages of teammates, other sessions, tasks and plugins to the model as
/// messages of the user, and notes their origin.
struct ClaudeSender: Hashable {
    /// Origins that are the person, by whatever way the words came.
    private static let person: Set = [
        "human", "person", "voice-call", "composer", "remote", "suggestion", "unclassified",
    ]
    private static let nameAttributes = ["teammate_id", "from", "sender", "user", "name", "source"]
    /// Letters of an opening tag that are looked at.
    private static let tagLimit = 500

    /// The program's word for the origin.
    let kind: String

    init(kind: String) { self.kind = kind }

    /// Nil for the person's own words, and for records of versions that note no origin.
    init?(of record: JSONValue) {
        if let kind = record["origin"]?.line("kind", limit: 80) {
            guard !Self.person.contains(kind) else { return nil }
            self.kind = kind
        } else if record["isSynthetic"]?.boolValue == true {
            kind = "synthetic"
        } else if let source = record.line("promptSource", limit: 80), source == "system" {
            kind = source
        } else {
            return nil
        }
    }

    /// The words without their wrapper, behind the sender's name where one is told.
    func words(of text: String) -> String {
        var rest = Substring(text).drop { $0.isWhitespace }
        if rest.hasPrefix("[SYSTEM NOTIFICATION"), let end = rest.firstIndex(of: "\n") {
            rest = rest[end...].drop { $0.isWhitespace }
        }
        guard rest.hasPrefix("<"), let close = rest.prefix(Self.tagLimit).firstIndex(of: ">") else {
            return String(rest)
        }
        let opening = rest[rest.index(after: rest.startIndex)..<close]
        let name = opening.prefix { !$0.isWhitespace }
        guard !name.isEmpty, let end = rest.range(of: "</\(name)>", options: .backwards) else { return String(rest) }
        var inner = rest[rest.index(after: close)..<end.lowerBound]
        // A task tells what became of it in a line of its own; the rest is for the model.
        for member in ["summary", "task-id"] where name == "task-notification" {
            if let found = Self.inside(member, of: inner) {
                inner = found
                break
            }
        }
        let words = String(inner).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let sender = Self.sender(in: opening) else { return words }
        return "\(sender): \(words)"
    }

    private static func inside(_ tag: String, of text: Substring) -> Substring? {
        guard let open = text.range(of: "<\(tag)>"),
            let close = text.range(of: "</\(tag)>", range: open.upperBound..<text.endIndex)
        else { return nil }
        return text[open.upperBound..<close.lowerBound]
    }

    private static func sender(in opening: Substring) -> String? {
        for attribute in nameAttributes {
            guard let start = opening.range(of: " \(attribute)=\""),
                let end = opening[start.upperBound...].firstIndex(of: "\""), end > start.upperBound
            else { continue }
            return ShortText.line(String(opening[start.upperBound..<end]), limit: 80)
        }
        return nil
    }
}
