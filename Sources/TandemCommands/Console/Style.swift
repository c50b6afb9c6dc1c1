/// Bold and colours where a terminal shows them and the person did not turn them off (`NO_COLOR`).
struct Style {
    /// Whether anything is styled.
    let isOn: Bool

    init(_ console: any Console = Running.console) {
        let environment = console.environment
        isOn =
            console.isTerminal(.output) && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    private init(isOn: Bool) { self.isOn = isOn }

    /// Nothing is styled.
    static let off = Style(isOn: false)

    func bold(_ text: String) -> String { styled(text, "1") }
    func dim(_ text: String) -> String { styled(text, "2") }
    func green(_ text: String) -> String { styled(text, "32") }
    func red(_ text: String) -> String { styled(text, "31") }

    private func styled(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
