extension JSONValue {
    /// A copy of the value in which every text, members' names too, is safe for one row of a terminal.
    public var forTerminal: JSONValue {
        switch self {
        case .string(let text): .string(TerminalText.line(text))
        case .array(let values): .array(values.map(\.forTerminal))
        case .object(let members):
            .object(
                Dictionary(
                    members.map { (TerminalText.line($0.key), $0.value.forTerminal) },
                    uniquingKeysWith: { first, _ in first }
                )
            )
        case .null, .bool, .integer, .number: self
        }
    }
}
