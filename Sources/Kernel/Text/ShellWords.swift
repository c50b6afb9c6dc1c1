/// A command's words as one line that a POSIX shell reads back as the same words.
///
/// A person decides by such a line what may run, so it has to tell `rm "a b"` from `rm a b`.
package enum ShellWords {
    /// Words of letters, digits and `-_./:=,@+%` stand as they are, all others in single quotes.
    package static func line(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    /// A command as agents write one: a line, or its words.
    ///
    /// - Returns: Nil for an empty one and for anything else, also where one of the words is no text: a part of a command says another thing.
    package static func line(of command: JSONValue) -> String? {
        if let line = command.stringValue { return line.isEmpty ? nil : line }
        guard let values = command.arrayValue, !values.isEmpty else { return nil }
        let words = values.compactMap(\.stringValue)
        return words.count == values.count ? line(words) : nil
    }

    private static func quoted(_ word: String) -> String {
        guard word.isEmpty || !word.hasOnlyLettersAndDigits(or: "-_./:=,@+%") else { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
