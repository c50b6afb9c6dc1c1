import Foundation

/// Halves of UTF-16 pairs in JSON texts, such as `\ud83d` alone. Programs that cut texts by UTF-16 units write them.
///
/// They are no characters, and ``JSONValue/init(parsing:)`` refuses them, which is right for what is passed on.
enum HalfSurrogates {
    /// Where the escapes of halves stand, each six bytes, and the halves themselves.
    static func places(in bytes: [UInt8]) -> [(index: Int, unit: UInt16)] {
        var places: [(Int, UInt16)] = []
        var index = 0
        while let found = nextEscape(in: bytes, from: index) {
            guard found + 1 < bytes.count, bytes[found + 1] == UInt8(ascii: "u"), let unit = unit(bytes, at: found)
            else {
                index = found + 2
                continue
            }
            index = found + 6
            if (0xDC00...0xDFFF).contains(unit) { places.append((found, unit)) }
            guard (0xD800...0xDBFF).contains(unit) else { continue }
            let next =
                index + 1 < bytes.count && bytes[index] == UInt8(ascii: "\\") && bytes[index + 1] == UInt8(ascii: "u")
            if next, let low = self.unit(bytes, at: index), (0xDC00...0xDFFF).contains(low) {
                index += 6
            } else {
                places.append((found, unit))
            }
        }
        return places
    }

    /// The text with U+FFFD for each half; nil where there is none.
    static func replaced(in bytes: [UInt8]) -> [UInt8]? {
        let places = places(in: bytes)
        guard !places.isEmpty else { return nil }
        var bytes = bytes
        for place in places { bytes.replaceSubrange(place.index..<(place.index + 6), with: Array(#"\ufffd"#.utf8)) }
        return bytes
    }

    private static func nextEscape(in bytes: [UInt8], from index: Int) -> Int? {
        bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress, index < all.count,
                let found = memchr(base + index, Int32(UInt8(ascii: "\\")), all.count - index)
            else { return nil }
            return base.distance(to: UnsafeRawPointer(found))
        }
    }

    private static func unit(_ bytes: [UInt8], at escape: Int) -> UInt16? {
        guard escape + 6 <= bytes.count else { return nil }
        var value: UInt16 = 0
        for byte in bytes[(escape + 2)..<(escape + 6)] {
            guard let digit = Hexadecimal.value(of: byte) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}

extension JSONValue {
    /// A value of what a program on this machine wrote: like ``init(parsing:)``, with U+FFFD for half of a UTF-16 pair.
    ///
    /// - Throws: Where the text is no JSON in any other way.
    package init(parsingForeign bytes: [UInt8], keeping selection: JSONSelection = .whole) throws {
        do {
            try self.init(parsing: bytes, keeping: selection)
        } catch {
            guard let mended = HalfSurrogates.replaced(in: bytes) else { throw error }
            try self.init(parsing: mended, keeping: selection)
        }
    }
}

/// Joins characters that a program cut between two pieces of a message: the first line ends a text with half of a pair, the next piece begins
/// with the other half.
package struct SplitCharacters: Sendable {
    /// Lines between two pieces of one message.
    private static let patience = 16

    private var held: [UInt8] = []
    private var age = 0

    package init() {}

    /// - Parameter isPiece: Whether the line holds a piece of a message that goes on.
    /// - Returns: The line without a half that it ends a text with, which the next piece gets. Other halves stay.
    package mutating func joined(_ line: [UInt8], isPiece: Bool) -> [UInt8] {
        age += 1
        if age > Self.patience { held = [] }
        guard isPiece else { return line }
        var line = line
        var places = HalfSurrogates.places(in: line)
        if !held.isEmpty,
            let low = places.first(where: {
                $0.unit >= 0xDC00 && $0.index > 0 && line[$0.index - 1] == UInt8(ascii: "\"")
            })
        {
            line.insert(contentsOf: held, at: low.index)
            held = []
            places = HalfSurrogates.places(in: line)
        }
        if let high = places.last,
            high.unit < 0xDC00, high.index + 6 < line.count, line[high.index + 6] == UInt8(ascii: "\"")
        {
            held = Array(line[high.index..<(high.index + 6)])
            age = 0
            line.removeSubrange(high.index..<(high.index + 6))
        }
        return line
    }
}
