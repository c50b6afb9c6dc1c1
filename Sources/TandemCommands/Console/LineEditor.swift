import Kernel

/// The text that a person writes in a terminal, with the place of the cursor and the texts before it.
struct LineEditor {
    enum Outcome: Hashable {
        case nothing
        case changed
        case submitted(String)
        case interrupted
        case ended
        case redraw
    }

    /// Texts that are remembered.
    private static let historyLimit = 200

    private let byteLimit: Int
    private var characters: [Character] = []
    private var cursor = 0
    private var history: [[Character]] = []
    /// The place in the history that is shown, and what was written before it was looked through.
    private var looking: (place: Int, written: [Character])?

    /// - Parameters:
    ///   - text: To begin with.
    ///   - byteLimit: What goes beyond it is not taken.
    init(_ text: String = "", byteLimit: Int) {
        self.byteLimit = byteLimit
        insert(text)
    }

    var text: String { String(characters) }

    mutating func apply(_ key: TypedKey) -> Outcome {
        switch key {
        case .text(let text), .pasted(let text): insert(text)
        case .newline: insert("\n")
        case .enter: return submit()
        case .backspace: remove((cursor - 1)..<cursor)
        case .delete: remove(cursor..<(cursor + 1))
        case .deleteWord: remove(wordStart..<cursor)
        case .deleteToStart: remove(0..<cursor)
        case .deleteToEnd: remove(cursor..<characters.count)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .up: look(-1)
        case .down: look(1)
        case .interrupt: return .interrupted
        case .endOfInput:
            guard !characters.isEmpty else { return .ended }
            remove(cursor..<(cursor + 1))
        case .redraw: return .redraw
        }
        return .changed
    }

    /// The part of the text around the cursor that a row shows, with a sign for each line feed.
    ///
    /// - Parameter columns: The row's, at least 2.
    /// - Returns: The text, and the cursor's column in it, from 0.
    func window(columns: Int) -> (text: String, cursor: Int) {
        let shown = characters.map { $0 == "\n" ? "⏎" : String($0) }
        let widths = shown.map(TerminalText.columns)
        // The last column is the cursor's where it stands behind the text.
        let room = max(1, columns - 1)
        var start = 0
        var before = widths[..<cursor].reduce(0, +)
        while before > room, start < cursor {
            before -= widths[start]
            start += 1
        }
        var text = ""
        var taken = 0
        for place in start..<shown.count {
            guard taken + widths[place] <= room else { break }
            text += shown[place]
            taken += widths[place]
        }
        return (text, before)
    }

    // MARK: Changes

    /// What would act on the terminal is left out.
    private mutating func insert(_ text: String) {
        var safe = ""
        for scalar in text.unicodeScalars {
            if scalar == "\t" {
                safe += " "
            } else if scalar == "\n" || !TerminalText.isUnsafe(scalar) {
                safe.unicodeScalars.append(scalar)
            }
        }
        // A mark goes to the character before it, which may have been there already.
        let before = String(characters[..<cursor]) + beginning(of: safe)
        characters = Array(before + String(characters[cursor...]))
        cursor = min(characters.count, before.count)
    }

    /// As much of it as there is room for.
    private func beginning(of text: String) -> String {
        var rest = byteLimit - self.text.utf8.count
        return String(
            text.prefix { character in
                rest -= character.utf8.count
                return rest >= 0
            }
        )
    }

    private mutating func remove(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<characters.count)
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    /// A blank text stays as it is.
    private mutating func submit() -> Outcome {
        guard characters.contains(where: { !$0.isWhitespace }) else { return .nothing }
        if history.last != characters { history.append(characters) }
        if history.count > Self.historyLimit { history.removeFirst() }
        let text = text
        characters = []
        cursor = 0
        looking = nil
        return .submitted(text)
    }

    private mutating func look(_ step: Int) {
        let (place, written) = looking ?? (history.count, characters)
        let next = place + step
        guard history.indices.contains(next) || next == history.count else { return }
        looking = (next, written)
        characters = next == history.count ? written : history[next]
        cursor = characters.count
    }

    private var wordStart: Int {
        var place = cursor
        while place > 0, characters[place - 1].isWhitespace { place -= 1 }
        while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
        return place
    }

    private var wordEnd: Int {
        var place = cursor
        while place < characters.count, characters[place].isWhitespace { place += 1 }
        while place < characters.count, !characters[place].isWhitespace { place += 1 }
        return place
    }
}
