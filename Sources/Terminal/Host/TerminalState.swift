/// The state that a terminal's output has switched so far: a screen that is shown only a later part of the output is brought here first, or a
/// program's mouse, its paste marks, its other screen and its colours would be missing there.
///
/// Followed are the modes of DEC and xterm, which screen is shown, title, colours and attributes, scroll region, character sets, keypad and
/// the cursor's look. Where the cursor stands and what the screen shows are not: programs that fill the screen place it themselves.
struct TerminalState: Hashable {
    /// Modes that are either on or off, and whether they are at first.
    static let switches: [Int: Bool] = [
        1: false, 5: false, 6: false, 7: true, 12: false, 25: true, 45: false, 1004: false, 2004: false,
    ]
    private static let insertMode = 4
    private static let newLineMode = 20
    /// Only one of each is in force.
    private static let mouseModes: Set<Int> = [9, 1000, 1002, 1003]
    private static let mouseEncodings: Set<Int> = [1005, 1006, 1015, 1016]
    private static let screenModes: Set<Int> = [47, 1047, 1049]
    private static let titleDepth = 8

    /// The state that DECSC saves, for each of the two screens.
    private struct Saved: Hashable {
        var style = TerminalStyle()
        var charsets = TerminalCharsets()
        var hasOrigin = false
    }

    private struct Region: Hashable {
        let top: Int
        /// Nil: the last row.
        let bottom: Int?
    }

    private var modes = Self.switches
    private var inserts = false
    private var startsLines = false
    private var mouse: Int?
    private var mouseEncoding: Int?
    /// The mode by which the other screen was chosen; nil for the main one.
    private var otherScreen: Int?
    private var hasKeypad = false
    private var style = TerminalStyle()
    private var charsets = TerminalCharsets()
    private var regions: [Bool: Region] = [:]
    private var saved: [Bool: Saved] = [:]
    private var cursorStyle: Int?
    private var title: String?
    private var titles: [String?] = []
    /// The sequence that has begun and has not ended.
    private var parser = TerminalSequences()

    /// Whether a program fills a screen of its own.
    var hasOtherScreen: Bool { otherScreen != nil }

    /// Takes what was written next. Whole characters.
    mutating func read(_ text: String) {
        var parser = parser
        parser.read(text) { apply($0) }
        self.parser = parser
    }

    /// The window has another size: no part of it scrolls alone any more.
    mutating func resized() { regions = [:] }

    /// Brings a screen of any other state here, as far as a terminal knows the sequences. The bytes of a sequence that has begun come last,
    /// because what is shown behind them goes on with it.
    var sequence: String {
        // Ends a sequence that the output before a gap left open.
        var text = "\u{18}"
        text += otherScreen == nil ? "\u{1B}[?1047l" : "\u{1B}[?\(otherScreen ?? 1049)h"
        // Setting the region takes the cursor home.
        let region = regions[otherScreen != nil]
        text += "\u{1B}7\u{1B}[\(region.map { "\($0.top);\($0.bottom.map(String.init) ?? "")" } ?? "")r\u{1B}8"
        text += "\u{1B}[\(Self.insertMode)\(inserts ? "h" : "l")\u{1B}[\(Self.newLineMode)\(startsLines ? "h" : "l")"
        for mode in modes.keys.sorted() {
            guard let isOn = modes[mode], isOn || mode != 6 else { continue }
            text += "\u{1B}[?\(mode)\(isOn ? "h" : "l")"
        }
        text += "\u{1B}[?9;1000;1002;1003l\u{1B}[?1005;1006;1015;1016l"
        for mode in [mouseEncoding, mouse].compactMap(\.self) { text += "\u{1B}[?\(mode)h" }
        text += hasKeypad ? "\u{1B}=" : "\u{1B}>"
        if let cursorStyle { text += "\u{1B}[\(cursorStyle) q" }
        if let title { text += "\u{1B}]2;\(title)\u{07}" }
        return text + charsets.sequence + style.sequence + parser.pending
    }

    private mutating func apply(_ sequence: TerminalSequences.Sequence) {
        switch sequence {
        case .control(let byte): charsets.shift(byte)
        case .escape(let intermediates, let final): escape(intermediates, final)
        case .csi(let prefix, let parameters, let intermediates, let final):
            csi(prefix, parameters, intermediates, final)
        case .osc(let text): osc(text)
        }
    }

    private mutating func escape(_ intermediates: String, _ final: Character) {
        switch (intermediates, final) {
        case ("", "c"):
            let parser = parser
            self = TerminalState()
            self.parser = parser
        case ("", "7"): save()
        case ("", "8"): restore()
        case ("", "="): hasKeypad = true
        case ("", ">"): hasKeypad = false
        default: charsets.designate(intermediates, final)
        }
    }

    private mutating func csi(_ prefix: String, _ parameters: String, _ intermediates: String, _ final: Character) {
        switch (prefix, intermediates, final) {
        case ("?", "", "h"), ("?", "", "l"):
            for mode in Self.numbers(parameters) { set(mode, final == "h") }
        case ("", "", "h"), ("", "", "l"):
            for mode in Self.numbers(parameters) {
                if mode == Self.insertMode { inserts = final == "h" }
                if mode == Self.newLineMode { startsLines = final == "h" }
            }
        case ("", "", "m"): style.apply(parameters)
        case ("", "", "r"):
            let numbers = Self.numbers(parameters)
            let top = max(1, numbers.first ?? 1)
            let bottom = numbers.count > 1 && numbers[1] > 0 ? numbers[1] : nil
            regions[otherScreen != nil] = top == 1 && bottom == nil ? nil : Region(top: top, bottom: bottom)
        case ("", "", "s") where parameters.isEmpty: save()
        case ("", "", "u") where parameters.isEmpty: restore()
        case ("", " ", "q"): cursorStyle = Self.numbers(parameters).first ?? 0
        case ("", "!", "p"): resetSoftly()
        case ("", "", "t"): moveTitle(Self.numbers(parameters))
        default: break
        }
    }

    private mutating func osc(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "0" || parts[0] == "2" else { return }
        title = String(parts[1])
    }

    private mutating func set(_ mode: Int, _ isOn: Bool) {
        if Self.switches[mode] != nil {
            modes[mode] = isOn
        } else if Self.mouseModes.contains(mode) {
            mouse = isOn ? mode : nil
        } else if Self.mouseEncodings.contains(mode) {
            mouseEncoding = isOn ? mode : nil
        } else if Self.screenModes.contains(mode) {
            if mode == 1049, isOn { save() }
            otherScreen = isOn ? mode : nil
            if mode == 1049, !isOn { restore() }
        } else if mode == 1048 {
            isOn ? save() : restore()
        } else if mode == 66 {
            hasKeypad = isOn
        }
    }

    private mutating func save() {
        saved[otherScreen != nil] = Saved(style: style, charsets: charsets, hasOrigin: modes[6] ?? false)
    }

    private mutating func restore() {
        let saved = saved[otherScreen != nil] ?? Saved()
        (style, charsets) = (saved.style, saved.charsets)
        modes[6] = saved.hasOrigin
    }

    private mutating func resetSoftly() {
        modes = Self.switches
        (inserts, startsLines, hasKeypad) = (false, false, false)
        (style, charsets) = (TerminalStyle(), TerminalCharsets())
        regions[otherScreen != nil] = nil
        saved[otherScreen != nil] = nil
    }

    /// Programs keep the title of the program before them on a stack.
    private mutating func moveTitle(_ numbers: [Int]) {
        guard let what = numbers.first, numbers.count < 2 || numbers[1] != 1 else { return }
        if what == 22 {
            titles.append(title)
            if titles.count > Self.titleDepth { titles.removeFirst() }
        } else if what == 23, let last = titles.popLast() {
            title = last
        }
    }

    /// The numbers of a list with `;`; an entry that is no number is 0.
    static func numbers(_ parameters: String) -> [Int] {
        parameters.isEmpty
            ? [] : parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    }
}
