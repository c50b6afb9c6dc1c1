/// Finds keys in the bytes that a terminal sends: characters of UTF-8, control characters, escape sequences of xterm, and text between the marks of
/// bracketed paste. A key whose bytes are not all there yet waits for the rest.
struct TypedKeyDecoder {
    /// Switches the marks around pasted text on and off. Source: xterm's control sequences, mode 2004.
    static let marksPastes = "\u{1B}[?2004h"
    static let marksNoPastes = "\u{1B}[?2004l"
    /// Bytes of pasted text that are kept.
    static let pasteLimit = 64 << 10
    /// Bytes of an escape sequence; a longer one is none.
    private static let sequenceLimit = 32
    private static let escape: UInt8 = 0x1B
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private enum State {
        case plain
        case escape
        /// After `ESC [`: its bytes until now.
        case sequence([UInt8])
        /// After `ESC O`.
        case single
        /// Between the marks.
        case paste
    }

    private var state = State.plain
    /// The beginning of a character.
    private var partial: [UInt8] = []
    /// What was pasted until now, and how much of the second mark was seen.
    private var paste: [UInt8] = []
    private var seen = 0

    mutating func keys(_ bytes: [UInt8]) -> [TypedKey] {
        var keys: [TypedKey] = []
        for byte in bytes {
            guard let key = key(byte) else { continue }
            if case .text(let text) = key, case .text(let before)? = keys.last {
                keys[keys.count - 1] = .text(before + text)
            } else {
                keys.append(key)
            }
        }
        return keys
    }

    private mutating func key(_ byte: UInt8) -> TypedKey? {
        switch state {
        case .plain: return plain(byte)
        case .escape: return escaped(byte)
        case .single:
            state = .plain
            return Self.arrow(byte, isFar: false)
        case .sequence(var bytes):
            guard (0x40...0x7E).contains(byte) else {
                bytes.append(byte)
                state = bytes.count > Self.sequenceLimit ? .plain : .sequence(bytes)
                return nil
            }
            state = .plain
            return sequence(String(decoding: bytes, as: UTF8.self), byte)
        case .paste: return pasted(byte)
        }
    }

    private mutating func plain(_ byte: UInt8) -> TypedKey? {
        if byte >= 0x80 || !partial.isEmpty { return character(byte) }
        switch byte {
        case Self.escape: state = .escape
        case 0x01: return .home
        case 0x02: return .left
        case 0x03: return .interrupt
        case 0x04: return .endOfInput
        case 0x05: return .end
        case 0x06: return .right
        case 0x08, 0x7F: return .backspace
        case 0x0A: return .newline
        case 0x0B: return .deleteToEnd
        case 0x0C: return .redraw
        case 0x0D: return .enter
        case 0x0E: return .down
        case 0x10: return .up
        case 0x15: return .deleteToStart
        case 0x17: return .deleteWord
        case 0x20...0x7E: return .text(String(UnicodeScalar(byte)))
        default: break
        }
        return nil
    }

    /// A byte of a character of several; a beginning that has no such rest is shown as what it is not.
    private mutating func character(_ byte: UInt8) -> TypedKey? {
        if !partial.isEmpty, byte & 0xC0 != 0x80 {
            partial = []
            let rest = plain(byte)
            if case .text(let text)? = rest { return .text("\u{FFFD}" + text) }
            return rest
        }
        partial.append(byte)
        let first = partial[0]
        let needed = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard partial.count >= needed else { return nil }
        defer { partial = [] }
        return .text(String(decoding: partial, as: UTF8.self))
    }

    private mutating func escaped(_ byte: UInt8) -> TypedKey? {
        state = .plain
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .single
        case Self.escape: state = .escape
        case UInt8(ascii: "b"): return .wordLeft
        case UInt8(ascii: "f"): return .wordRight
        case 0x0D: return .newline
        case 0x7F: return .deleteWord
        default: break
        }
        return nil
    }

    private mutating func sequence(_ parameters: String, _ final: UInt8) -> TypedKey? {
        guard final == UInt8(ascii: "~") else {
            // With Alt or Ctrl.
            return Self.arrow(final, isFar: parameters.hasSuffix(";3") || parameters.hasSuffix(";5"))
        }
        switch parameters {
        case "1", "7": return .home
        case "3": return .delete
        case "4", "8": return .end
        case "200": state = .paste
        default: break
        }
        return nil
    }

    private static func arrow(_ final: UInt8, isFar: Bool) -> TypedKey? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): isFar ? .wordRight : .right
        case UInt8(ascii: "D"): isFar ? .wordLeft : .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        default: nil
        }
    }

    private mutating func pasted(_ byte: UInt8) -> TypedKey? {
        if byte == Self.pasteEnd[seen] {
            seen += 1
            guard seen == Self.pasteEnd.count else { return nil }
            let text = Self.text(paste)
            (state, paste, seen) = (.plain, [], 0)
            return .pasted(text)
        }
        // The only escape of the mark is its first byte.
        let isEscape = byte == Self.escape
        paste += Self.pasteEnd[..<seen]
        if !isEscape { paste.append(byte) }
        if paste.count > Self.pasteLimit { paste.removeLast(paste.count - Self.pasteLimit) }
        seen = isEscape ? 1 : 0
        return nil
    }

    /// Terminals send the ends of lines as carriage returns.
    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
}
