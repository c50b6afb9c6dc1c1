import Foundation

/// ASCII text that is searched for in the bytes of a file, by the byte of it that is rarest there.
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

    /// Where it begins. Of more than a thousand places the first thousand.
    func matches(in text: [UInt8]) -> [Int] {
        var matches: [Int] = []
        text.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return }
            var from = place
            // More in a megabyte are words that somebody wrote, not records.
            while matches.count < 1000, from < all.count,
                let found = memchr(base + from, Int32(rare), all.count - from)
            {
                let index = base.distance(to: UnsafeRawPointer(found))
                from = index + 1
                let start = index - place
                if start + bytes.count <= all.count, all[start...].starts(with: bytes) { matches.append(start) }
            }
        }
        return matches
    }
}
