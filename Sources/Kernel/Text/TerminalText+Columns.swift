/// How much room text takes on a terminal.
extension TerminalText {
    /// The columns that `text` takes, by the rules of `wcwidth`: two for East Asian wide characters and emoji, none for
    /// marks that stand on another character. What a joiner adds to an emoji, a skin tone too, is drawn in its place.
    public static func columns(_ text: String) -> Int {
        guard !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return text.utf8.count }
        var columns = 0
        /// The width of the last character that took room, for the marks that follow it.
        var base = 0
        var isJoined = false
        var baseIsEmoji = false
        for scalar in text.unicodeScalars {
            let isEmoji = scalar.value > 0xA8 && scalar.properties.isEmoji
            switch scalar.value {
            case 0x200D:
                isJoined = true
                continue
            case 0xFE0F where baseIsEmoji && base == 1:
                // Asks for the picture of a character that is a narrow sign by itself, such as ❤ or ✈.
                columns += 1
                base = 2
            case _ where isEmoji && baseIsEmoji && (isJoined || scalar.properties.isEmojiModifier): break
            default:
                let width = width(of: scalar)
                columns += width
                if width > 0 { (base, baseIsEmoji) = (width, isEmoji) }
            }
            isJoined = false
        }
        return columns
    }

    /// `text` with spaces after it up to `columns`; unchanged when it takes as many or more.
    public static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - Self.columns(text)))
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20...0x7E: return 1
        // Vowels and final consonants of Hangul are drawn into the syllable's first consonant.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        // Two letters make one flag, two columns wide.
        case 0x1F1E6...0x1F1FF: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Unicode's East_Asian_Width W and F, without the emoji among them.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x16FF6, 0x17000...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
