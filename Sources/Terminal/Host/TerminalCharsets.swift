/// The character sets of a terminal: four, one of them in use. Line drawing is the other set that programs still use.
struct TerminalCharsets: Hashable {
    private static let slots: [Character: Int] = ["(": 0, ")": 1, "*": 2, "+": 3, "-": 1, ".": 2, "/": 3]
    private static let shiftOut: UInt8 = 0x0E
    private static let shiftIn: UInt8 = 0x0F

    /// The designated sets: intermediates and final; nil for the one that is there at first.
    private var sets: [String?] = [nil, nil, nil, nil]
    private var active = 0

    mutating func shift(_ control: UInt8) {
        switch control {
        case Self.shiftOut: active = 1
        case Self.shiftIn: active = 0
        default: break
        }
    }

    mutating func designate(_ intermediates: String, _ final: Character) {
        if let first = intermediates.first, let slot = Self.slots[first] {
            sets[slot] = intermediates + String(final)
        } else if intermediates.isEmpty, final == "n" || final == "o" {
            active = final == "n" ? 2 : 3
        }
    }

    var sequence: String {
        let designated = sets.enumerated().map { slot, set in "\u{1B}\(set ?? ["(B", ")B", "*B", "+B"][slot])" }
        return designated.joined() + ["\u{0F}", "\u{0E}", "\u{1B}n", "\u{1B}o"][active]
    }
}
