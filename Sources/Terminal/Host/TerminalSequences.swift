/// Finds the control sequences in a terminal's output, as ECMA-48 and xterm write them. What it keeps of one that has begun is bounded.
struct TerminalSequences: Hashable {
    enum Sequence: Hashable {
        /// A control character that stands alone.
        case control(UInt8)
        case escape(intermediates: String, final: Character)
        case csi(prefix: String, parameters: String, intermediates: String, final: Character)
        /// A command to the operating system's window: number and text.
        case osc(String)
    }

    /// Bytes kept of a sequence that has begun. Titles are shorter; pictures and texts for the clipboard are longer and not followed.
    static let limit = 2048

    private enum Place: Hashable {
        case text
        /// Between ESC and the byte that tells the kind of sequence.
        case escape
        case csi
        case osc
        /// DCS, SOS, PM and APC, of which nothing is followed.
        case string
    }

    private static let escapeByte: UInt8 = 0x1B
    private static let bell: UInt8 = 0x07
    /// The first byte of a control character of the second set, U+0080 to U+009F, in UTF-8.
    private static let secondSet: UInt8 = 0xC2

    private var place = Place.text
    private var kept: [UInt8] = []
    private var isCut = false
    /// ESC inside of a string: `\` behind it ends the string.
    private var hasEscape = false
    private var hasSecondSet = false

    /// The sequence that has begun, so that its rest goes on with it. For one that is too long only its kind: its rest is passed over then.
    var pending: String {
        let end = (hasEscape ? "\u{1B}" : "")
        switch place {
        case .text: return ""
        case .escape, .csi: return String(decoding: kept, as: UTF8.self)
        // A number that means nothing.
        case .osc where isCut: return "\u{1B}]7777;" + end
        case .string where isCut: return "\u{1B}X" + end
        case .osc, .string: return String(decoding: kept, as: UTF8.self) + end
        }
    }

    mutating func read(_ text: String, _ found: (Sequence) -> Void) {
        var text = text
        text.withUTF8 { bytes in
            var at = 0
            while at < bytes.count {
                if place == .text, !hasSecondSet {
                    // Most of the output is text, in which nothing is looked for but the beginning of a sequence.
                    while at < bytes.count, !Self.mayBegin(bytes[at]) { at += 1 }
                    guard at < bytes.count else { return }
                }
                take(bytes[at], found)
                at += 1
            }
        }
    }

    private static func mayBegin(_ byte: UInt8) -> Bool {
        byte == escapeByte || byte == secondSet || byte == 0x0E || byte == 0x0F
    }

    private mutating func take(_ byte: UInt8, _ found: (Sequence) -> Void) {
        if hasSecondSet {
            hasSecondSet = false
            // Equals ESC and the letter 64 below.
            if 0x80...0x9F ~= byte { return takeEscaped(byte - 0x40, found) }
            // A letter, which only a string may hold.
            if place == .escape || place == .csi { return leave() }
            keep(Self.secondSet)
            return keep(byte)
        }
        switch (place, byte) {
        case (_, Self.secondSet): hasSecondSet = true
        case (_, 0x18), (_, 0x1A): leave()
        case (.osc, Self.bell): endString(found)
        case (.osc, Self.escapeByte), (.string, Self.escapeByte): hasEscape = true
        case (.osc, _), (.string, _):
            guard hasEscape else { return keep(byte) }
            takeEscaped(byte, found)
        case (_, Self.escapeByte): begin(.escape, [byte])
        case (_, 0x00..<0x20): found(.control(byte))
        case (.escape, 0x20..<0x30): keep(byte)
        case (.escape, _) where kept.count == 1: takeEscaped(byte, found)
        case (.escape, _):
            let intermediates = String(decoding: kept.dropFirst(), as: UTF8.self)
            leave()
            guard 0x30..<0x7F ~= byte else { return }
            found(.escape(intermediates: intermediates, final: Character(Unicode.Scalar(byte))))
        case (.csi, 0x20..<0x40): keep(byte)
        case (.csi, _): endCSI(byte, found)
        case (.text, _): break
        }
    }

    /// The byte behind ESC, which begins or ends a sequence.
    private mutating func takeEscaped(_ byte: UInt8, _ found: (Sequence) -> Void) {
        switch (byte, place) {
        case (0x5B, _): begin(.csi, [Self.escapeByte, byte])  // [
        case (0x5D, _): begin(.osc, [Self.escapeByte, byte])  // ]
        case (0x50, _), (0x58, _), (0x5E, _), (0x5F, _): begin(.string, [Self.escapeByte, byte])  // P X ^ _
        case (0x5C, .osc): endString(found)  // \
        case (0x20..<0x30, _): begin(.escape, [Self.escapeByte, byte])
        default:
            leave()
            guard 0x30..<0x7F ~= byte, byte != 0x5C else { return }
            found(.escape(intermediates: "", final: Character(Unicode.Scalar(byte))))
        }
    }

    private mutating func endCSI(_ byte: UInt8, _ found: (Sequence) -> Void) {
        let (body, isWhole) = (kept.dropFirst(2), !isCut)
        leave()
        guard isWhole, 0x40..<0x7F ~= byte else { return }
        let prefix = body.prefix { 0x3C..<0x40 ~= $0 }
        let parameters = body.dropFirst(prefix.count).prefix { 0x30..<0x3C ~= $0 }
        let intermediates = body.dropFirst(prefix.count + parameters.count)
        found(
            .csi(
                prefix: String(decoding: prefix, as: UTF8.self),
                parameters: String(decoding: parameters, as: UTF8.self),
                intermediates: String(decoding: intermediates, as: UTF8.self),
                final: Character(Unicode.Scalar(byte))
            )
        )
    }

    private mutating func endString(_ found: (Sequence) -> Void) {
        let (body, isWhole) = (kept.dropFirst(2), !isCut && place == .osc)
        leave()
        if isWhole { found(.osc(String(decoding: body, as: UTF8.self))) }
    }

    private mutating func begin(_ place: Place, _ bytes: [UInt8]) {
        leave()
        self.place = place
        kept = bytes
    }

    private mutating func leave() {
        place = .text
        kept = []
        isCut = false
        hasEscape = false
    }

    private mutating func keep(_ byte: UInt8) {
        guard place != .text else { return }
        if kept.count < Self.limit { kept.append(byte) } else { isCut = true }
    }
}
