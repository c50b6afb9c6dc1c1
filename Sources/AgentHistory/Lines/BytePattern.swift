import Foundation

/// ASCII text that is searched for in bytes, by the byte of it that is rarest there: comparing at each place takes a hundred times as long.
struct BytePattern: Sendable {
    private let bytes: [UInt8]
    private let rare: UInt8
    private let place: Int

    /// - Parameter rare: One of the characters of `text`.
    init(_ text: String, by rare: Unicode.Scalar) {
        bytes = Array(text.utf8)
        self.rare = UInt8(ascii: rare)
        place = bytes.firstIndex(of: self.rare) ?? 0
    }

    /// Bytes.
    var count: Int { bytes.count }

    /// The offsets of its matches, the first thousand at most: more in a megabyte are words that somebody wrote, not records.
    func matches(in text: [UInt8]) -> [Int] { text.withUnsafeBytes { matches(in: $0, limit: 1000) } }

    /// The offset of its first match in the text's UTF-8; nil where there is none.
    func firstMatch(in text: String) -> Int? {
        let found = text.utf8.withContiguousStorageIfAvailable { matches(in: UnsafeRawBufferPointer($0), limit: 1) }
        return (found ?? matches(in: Array(text.utf8))).first
    }

    private func matches(in text: UnsafeRawBufferPointer, limit: Int) -> [Int] {
        var matches: [Int] = []
        guard let base = text.baseAddress else { return matches }
        var from = place
        while matches.count < limit, from < text.count,
            let found = memchr(base + from, Int32(rare), text.count - from)
        {
            let index = base.distance(to: UnsafeRawPointer(found))
            from = index + 1
            let start = index - place
            if start + bytes.count <= text.count, text[start...].starts(with: bytes) { matches.append(start) }
        }
        return matches
    }
}
