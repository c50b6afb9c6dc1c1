public import Accounts
import Kernel

extension ChatError {
    /// Bytes of a server's own sentence that are shown: about three rows of a phone.
    static let longestHubSentence = 300

    /// What a server told in its envelope.
    public init(_ failure: IMFailure) {
        self = .refused(failure.code, hub: Self.hubSentence(failure.detail, of: failure.code))
    }

    /// The code of a refusal; nil for every other error.
    public var refusal: IMErrorCode? {
        guard case .refused(let code, _) = self else { return nil }
        return code
    }

    /// A server's sentence as it can stand beside one of ours: in one row, without characters that control, hide or turn around text,
    /// and bounded.
    ///
    /// - Returns: Nil where nothing is left, and for the code's name alone, which says nothing to a person.
    static func hubSentence(_ text: String, of code: IMErrorCode) -> String? {
        var sentence = ""
        var wasSpace = true
        for scalar in text.unicodeScalars.prefix(longestHubSentence * 4) {
            let isSpace = scalar.properties.isWhitespace || TerminalText.isUnsafe(scalar)
            defer { wasSpace = isSpace }
            if isSpace, wasSpace { continue }
            let next = isSpace ? " " : String(scalar)
            guard sentence.utf8.count + next.utf8.count <= longestHubSentence - 3 else {
                sentence += "…"
                break
            }
            sentence += next
        }
        if sentence.last == " " { sentence.removeLast() }
        return sentence.isEmpty || sentence == code.name ? nil : sentence
    }
}
