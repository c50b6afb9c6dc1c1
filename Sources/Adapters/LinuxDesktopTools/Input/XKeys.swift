import CXCB
import Glibc

/// The keys of an X server, and those that are given other characters for a while.
struct XKeys {
    /// A key, and whether Shift makes it produce what is meant.
    struct Place: Hashable {
        let code: UInt8
        let isShifted: Bool
    }

    private var places: [KeySymbol: Place] = [:]
    /// Characters of keys whose letters Caps Lock turns round.
    private var letters: Set<KeySymbol> = []
    /// Keys that produce nothing and no device sends.
    private var free: [UInt8] = []
    /// Keys that produce something else than before, the oldest first.
    private(set) var borrowed: [(code: UInt8, symbol: KeySymbol)] = []
    private let symbolsPerKey: UInt8

    /// Asks the server. Nil where it does not answer.
    init?(_ connection: OpaquePointer) {
        guard let setup = xcb_get_setup(connection) else { return nil }
        let (first, last) = (setup.pointee.min_keycode, setup.pointee.max_keycode)
        let asked = xcb_get_keyboard_mapping(connection, first, last - first + 1)
        guard let reply = xcb_get_keyboard_mapping_reply(connection, asked, nil) else { return nil }
        defer { release(reply) }
        let width = Int(reply.pointee.keysyms_per_keycode)
        let count = Int(xcb_get_keyboard_mapping_keysyms_length(reply))
        guard width > 0, let start = xcb_get_keyboard_mapping_keysyms(reply) else { return nil }
        symbolsPerKey = reply.pointee.keysyms_per_keycode
        for index in 0..<(count / width) {
            guard let code = UInt8(exactly: Int(first) + index) else { break }
            let symbols = (0..<width).map { KeySymbol(start[index * width + $0]) }
            let (plain, shifted) = (symbols[0], width > 1 ? symbols[1] : KeySymbol(0))
            if symbols.allSatisfy({ $0.value == 0 }) { free.append(code) }
            if plain.value != 0, places[plain] == nil { places[plain] = Place(code: code, isShifted: false) }
            if shifted.value != 0, places[shifted] == nil {
                places[shifted] = Place(code: code, isShifted: true)
                if Self.isPair(plain, shifted) { letters.formUnion([plain, shifted]) }
            }
        }
        // The last ones: the first of them may be keys that a program listens to by their number.
        free.reverse()
    }

    /// The key that produces a character or is a named one, in the first group of the layout; nil where none does.
    func place(of symbol: KeySymbol) -> Place? { places[symbol] }

    func isLetter(_ symbol: KeySymbol) -> Bool { letters.contains(symbol) }

    /// Gives a key a character that no key has.
    ///
    /// - Returns: The key; nil where no key is free.
    mutating func borrow(_ symbol: KeySymbol, _ connection: OpaquePointer) -> UInt8? {
        if let known = borrowed.first(where: { $0.symbol == symbol }) { return known.code }
        if free.isEmpty {
            guard !borrowed.isEmpty else { return nil }
            free.append(borrowed.removeFirst().code)
        }
        let code = free.removeLast()
        set(code, symbol, connection)
        borrowed.append((code, symbol))
        return code
    }

    /// Whether borrowing takes a key away from another character.
    func isFull(for symbol: KeySymbol) -> Bool { free.isEmpty && !borrowed.contains { $0.symbol == symbol } }

    /// Gives every key back what it had: nothing.
    mutating func giveBack(_ connection: OpaquePointer) {
        for (code, _) in borrowed { set(code, KeySymbol(0), connection) }
        free += borrowed.map(\.code)
        borrowed = []
    }

    /// The same in both groups and with Shift, so that neither changes it.
    private func set(_ code: UInt8, _ symbol: KeySymbol, _ connection: OpaquePointer) {
        let width = max(4, Int(symbolsPerKey))
        let symbols = (0..<width).map { $0 < 4 ? symbol.value : 0 }
        xcb_change_keyboard_mapping(connection, 1, code, UInt8(width), symbols)
    }

    private static func isPair(_ plain: KeySymbol, _ shifted: KeySymbol) -> Bool {
        guard let low = Unicode.Scalar(plain.value), let high = Unicode.Scalar(shifted.value) else { return false }
        return low != high && low.properties.uppercaseMapping == String(Character(high))
    }
}

/// The reply belongs to its reader. `free` is a member there.
private func release(_ pointer: UnsafeMutableRawPointer) { Glibc.free(pointer) }
