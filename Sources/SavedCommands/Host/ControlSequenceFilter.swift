/// Takes control sequences of terminals out of output that comes in parts of any length: colours, cursor movements, titles, links.
/// What it lets through is text with newlines and tabs. It works on bytes, so a character may be split between two parts.
struct ControlSequenceFilter: Sendable {
    private enum State: Sendable {
        case text
        /// A carriage return was read: alone it begins the line anew, which is shown as a new line.
        case carriageReturn
        /// An escape was read.
        case escape
        /// Within the intermediate bytes of a short sequence, for example the choice of a character set.
        case intermediate
        /// Within a control sequence, which ends with a byte of `@` to `~`.
        case control
        /// Within a string, such as a title, which ends with a bell or an escape and a backslash.
        case string
        /// An escape was read within a string.
        case stringEscape
    }

    private var state = State.text

    /// - Returns: The text in `bytes`, without what belongs to a sequence that began in an earlier part.
    mutating func filter(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        for byte in bytes { read(byte, into: &text) }
        return text
    }

    private mutating func read(_ byte: UInt8, into text: inout [UInt8]) {
        switch state {
        case .text: readText(byte, into: &text)
        case .carriageReturn:
            state = .text
            // A second return adds no line of its own.
            if byte == 0x0d {
                state = .carriageReturn
            } else {
                text.append(0x0a)
                if byte != 0x0a { readText(byte, into: &text) }
            }
        case .escape: readEscape(byte)
        case .intermediate:
            if !(0x20...0x2f).contains(byte) { state = byte == 0x1b ? .escape : .text }
        case .control:
            if byte == 0x1b {
                state = .escape
            } else if (0x40...0x7e).contains(byte) {
                state = .text
            }
        case .string:
            if byte == 0x07 { state = .text } else if byte == 0x1b { state = .stringEscape }
        case .stringEscape:
            // Anything but a backslash begins a sequence of its own, and the string is over.
            if byte == 0x5c { state = .text } else { readEscape(byte) }
        }
    }

    private mutating func readText(_ byte: UInt8, into text: inout [UInt8]) {
        switch byte {
        case 0x1b: state = .escape
        case 0x0d: state = .carriageReturn
        case 0x09, 0x0a: text.append(byte)
        case 0..<0x20, 0x7f: break
        default: text.append(byte)
        }
    }

    private mutating func readEscape(_ byte: UInt8) {
        state =
            switch byte {
            case UInt8(ascii: "["): .control
            case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"): .string
            case 0x20...0x2f: .intermediate
            case 0x1b: .escape
            default: .text
            }
    }
}
