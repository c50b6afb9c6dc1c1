import RemoteInput

/// The keys of a virtual keyboard, whose map of keys is written for what has to be typed: one key for each letter.
struct WaylandKeys {
    /// Codes of keys are those of X11 too, which has no more than 255; the first eight are none.
    private static let (first, last) = (9, 255)
    /// Real modifiers, by the keys that hold them.
    private static let modifiers: [InputKey.Name: (name: String, bit: UInt32)] = [
        .shift: ("Shift", 1), .control: ("Control", 4), .alt: ("Mod1", 8), .meta: ("Mod4", 64),
        .altGraph: ("Mod5", 128),
    ]

    /// By code, from the first one on.
    private var symbols: [KeySymbol]
    private var codes: [KeySymbol: UInt32]
    private let fixed: Int

    init() {
        let named = InputKey.Name.allCases.map { KeySymbol(.named($0)) }
        let letters = (UInt8(0x20)...0x7E).map { KeySymbol(Unicode.Scalar($0)) }
        symbols = named + letters
        fixed = symbols.count
        codes = [:]
        count()
    }

    /// Adds what these keys lack.
    ///
    /// - Returns: Whether the map of keys is another one now.
    mutating func learn(_ wanted: [KeySymbol]) -> Bool {
        let new = wanted.filter { codes[$0] == nil }
        guard !new.isEmpty else { return false }
        if symbols.count + new.count > Self.last - Self.first + 1 { symbols.removeLast(symbols.count - fixed) }
        // All that is wanted: what the map had before may just have gone.
        for symbol in wanted where !symbols.contains(symbol) && symbols.count <= Self.last - Self.first {
            symbols.append(symbol)
        }
        count()
        return true
    }

    /// The most letters that one map holds beside the keys that every map has.
    var room: Int { Self.last - Self.first + 1 - fixed }

    /// As the compositor counts: without the first eight of X11.
    func code(of symbol: KeySymbol) -> UInt32? { codes[symbol] }

    /// The bits of a key that is a modifier; 0 for another one.
    static func modifier(_ key: InputKey) -> UInt32 {
        guard case .named(let name) = key else { return 0 }
        return modifiers[name]?.bit ?? 0
    }

    /// The map as XKB writes it. Source: "The X Keyboard Extension", and `wtype`, which writes such a map too.
    var map: String {
        let names = symbols.indices.map { "<K\($0)>" }
        let codes = symbols.indices.map { "\(names[$0]) = \(Self.first + $0);" }.joined(separator: " ")
        let keys = symbols.indices.map { index in
            "key \(names[index]) {[ 0x\(String(symbols[index].value, radix: 16)) ]};"
        }
        let held = InputKey.Name.allCases.enumerated().compactMap { index, name in
            Self.modifiers[name].map { "modifier_map \($0.name) { \(names[index]) };" }
        }
        return """
            xkb_keymap {
            xkb_keycodes "tandem" { minimum = 8; maximum = \(Self.last); \(codes) };
            xkb_types "tandem" { include "complete" };
            xkb_compatibility "tandem" { include "complete" };
            xkb_symbols "tandem" { \(keys.joined(separator: " ")) \(held.joined(separator: " ")) };
            };

            """
    }

    private mutating func count() {
        codes = [:]
        for (index, symbol) in symbols.enumerated() { codes[symbol] = UInt32(Self.first + index - 8) }
    }
}
