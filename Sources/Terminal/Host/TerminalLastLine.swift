/// The last line that a terminal's output has words in, as a list shows it: a person sees whether a build still runs without opening it.
///
/// Read from the end of the output alone, so what moved the cursor to other rows is not followed; a program that fills the screen has no such line.
struct TerminalLastLine {
    /// Bytes at the end of the output that are looked at.
    static let tail = 8192
    /// Characters that are told.
    static let limit = 200

    private static let escape: Unicode.Scalar = "\u{1B}"
    private static let bell: Unicode.Scalar = "\u{07}"

    private enum Place {
        case text, escape, csi, string
    }

    /// The modes that show another screen, behind which the one before is there again.
    private static let screens: Set<String> = ["?47", "?1047", "?1049"]

    private var place = Place.text
    /// What the control sequence that has begun has in it.
    private var parameters = String.UnicodeScalarView()
    /// The rows before a program filled the screen.
    private var before: (line: String.UnicodeScalarView, last: String.UnicodeScalarView)?
    private var line = String.UnicodeScalarView()
    private var last = String.UnicodeScalarView()
    /// Behind a carriage return the next letter begins the row anew.
    private var returned = false

    /// - Parameters:
    ///   - output: The end of what was written.
    ///   - isCut: Whether it begins in the middle, where no whole row and maybe the rest of a sequence stands.
    /// - Returns: Nil where no row has words.
    static func find(in output: some StringProtocol, isCut: Bool) -> String? {
        let scalars = output.unicodeScalars
        let begin = isCut ? scalars.firstIndex(of: "\n") ?? scalars.endIndex : scalars.startIndex
        var reader = TerminalLastLine()
        for scalar in scalars[begin...] { reader.take(scalar) }
        reader.endRow()
        let words = String(reader.last).prefix(limit)
        return words.isEmpty ? nil : String(words)
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        switch (place, scalar) {
        case (.string, Self.bell), (.string, "\u{9C}"): place = .text
        case (_, Self.escape):
            place = .escape
            parameters.removeAll(keepingCapacity: true)
        case (.string, _): break
        case (.escape, "["): place = .csi
        case (.escape, "]"), (.escape, "P"), (.escape, "X"), (.escape, "^"), (.escape, "_"): place = .string
        case (.escape, " "..."/"): break
        case (.escape, _): place = .text
        case (.csi, "@"..."~"):
            place = .text
            endSequence(scalar)
        case (.csi, _): if parameters.count < 8 { parameters.append(scalar) }
        case (.text, "\n"): endRow()
        case (.text, "\r"): returned = true
        case (.text, "\u{08}"): if !line.isEmpty { line.removeLast() }
        case (.text, "\u{9B}"): place = .csi
        case (.text, "\u{9D}"), (.text, "\u{90}"): place = .string
        case (.text, "\t"): write(" ")
        case (.text, _) where scalar.properties.generalCategory == .control: break
        case (.text, _): write(scalar)
        }
    }

    private mutating func endSequence(_ final: Unicode.Scalar) {
        let mode = String(parameters)
        parameters.removeAll(keepingCapacity: true)
        guard Self.screens.contains(mode) else { return }
        if final == "h" {
            before = (line, last)
        } else if final == "l" {
            (line, last) = before ?? (.init(), .init())
            before = nil
        }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        if returned {
            line.removeAll(keepingCapacity: true)
            returned = false
        }
        line.append(scalar)
    }

    private mutating func endRow() {
        let words = line.drop { $0.properties.isWhitespace }
        if let end = words.lastIndex(where: { !$0.properties.isWhitespace }) {
            last = String.UnicodeScalarView(words[...end])
        }
        line.removeAll(keepingCapacity: true)
        returned = false
    }
}
