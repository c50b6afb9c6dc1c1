/// Replaces keys and long runs of base64 in a text by markers. It knows the shapes of well-known keys only: a help against
/// accidents, not a filter to rely on.
package enum SecretFolding {
    package static let secretMarker = "[secret left out]"
    package static let privateKeyMarker = "[private key left out]"
    /// Shorter runs are hashes, ids and names.
    package static let shortestRun = 256

    package static func base64Marker(_ count: Int) -> String { "[base64 left out, \(count) bytes]" }

    /// The text with markers, and how many there are.
    package static func fold(_ text: String) -> (text: String, count: Int) {
        var text = text
        let found = text.withUTF8 { finds(in: $0) }
        guard !found.isEmpty else { return (text, 0) }
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        text.withUTF8 { bytes in
            var index = 0
            for find in found {
                folded.append(contentsOf: bytes[index..<find.range.lowerBound])
                folded.append(contentsOf: find.marker.utf8)
                index = find.range.upperBound
            }
            folded.append(contentsOf: bytes[index...])
        }
        return (String(decoding: folded, as: UTF8.self), found.count)
    }

    private struct Find {
        let range: Range<Int>
        let marker: String
    }

    private static func finds(in bytes: UnsafeBufferPointer<UInt8>) -> [Find] {
        var found: [Find] = []
        var index = 0
        while index < bytes.count {
            guard isBase64(bytes[index]) else {
                index += 1
                continue
            }
            let (end, isRun) = run(bytes, index)
            if isRun, keyEnd(bytes, index) == nil {
                found.append(Find(range: index..<end, marker: base64Marker(end - index)))
                index = end
                continue
            }
            // Keys stand inside of words, too: `KEY=sk-…`, `token/ghp_…`.
            var inside = index
            while inside < end {
                if inside == index || !isWord(bytes[inside - 1]), let keyEnd = keyEnd(bytes, inside) {
                    found.append(Find(range: inside..<keyEnd, marker: secretMarker))
                    inside = keyEnd
                } else if bytes[inside] == UInt8(ascii: "-"), let keyEnd = privateKeyEnd(bytes, inside) {
                    found.append(Find(range: inside..<keyEnd, marker: privateKeyMarker))
                    inside = keyEnd
                } else {
                    inside += 1
                }
            }
            index = inside
        }
        return found
    }

    /// A key has a digit this near to its beginning. Without the bound the search would not be linear.
    private static let firstDigit = 64

    private static let beginOfKey = Array("-----BEGIN ".utf8)
    private static let endOfKey = Array("-----END ".utf8)
    private static let labelOfKey = Array("PRIVATE KEY-----".utf8)
    private static let closeOfKey = Array("KEY-----".utf8)

    private static let prefixes: [(prefix: [UInt8], shortest: Int, isExact: Bool)] = [
        (Array("sk-".utf8), 20, false), (Array("ghp_".utf8), 20, false), (Array("gho_".utf8), 20, false),
        (Array("ghu_".utf8), 20, false), (Array("ghs_".utf8), 20, false), (Array("ghr_".utf8), 20, false),
        (Array("github_pat_".utf8), 20, false), (Array("AKIA".utf8), 16, true), (Array("ASIA".utf8), 16, true),
        (Array("xoxb-".utf8), 20, false), (Array("xoxp-".utf8), 20, false),
    ]

    /// The index behind a key of a known shape that begins here; nil where none does.
    private static func keyEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        switch bytes[start] {
        case UInt8(ascii: "s"), UInt8(ascii: "g"), UInt8(ascii: "A"), UInt8(ascii: "x"): break
        default: return nil
        }
        for (prefix, shortest, isExact) in prefixes where begins(bytes, start, with: prefix) {
            var end = start + prefix.count
            var hasDigit = false
            var hasLetter = false
            while end < bytes.count, isKeyCharacter(bytes[end]), !isExact || isUpperOrDigit(bytes[end]) {
                if isDigit(bytes[end]) {
                    hasDigit = true
                } else if isWord(bytes[end]) {
                    hasLetter = true
                }
                end += 1
                if end - start > firstDigit, !hasDigit { break }
            }
            let length = end - start - prefix.count
            if isExact {
                if length == shortest, end == bytes.count || !isWord(bytes[end]) { return end }
            } else if length >= shortest, hasDigit, hasLetter {
                return end
            }
        }
        return nil
    }

    /// The index behind `-----END … PRIVATE KEY-----` for a block that begins here, or behind everything where its end is missing.
    private static func privateKeyEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard begins(bytes, start, with: beginOfKey) else { return nil }
        let label = bytes[start..<min(start + 80, bytes.count)]
        guard contains(label, labelOfKey) != nil else { return nil }
        guard let end = contains(bytes[(start + 11)...], endOfKey) else { return bytes.count }
        guard let close = contains(bytes[end..<min(end + 80, bytes.count)], closeOfKey) else {
            return bytes.count
        }
        return close + 8
    }

    /// The word that begins here, and whether it is base64 that is too long to be anything else. Lines of 60 and more characters go on.
    private static func run(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (end: Int, isRun: Bool) {
        var end = start
        var lineStart = start
        var kinds = 0
        while end < bytes.count {
            let byte = bytes[end]
            if isBase64(byte) {
                if isDigit(byte) {
                    kinds |= 1
                } else if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) {
                    kinds |= 2
                } else if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
                    kinds |= 4
                }
                end += 1
            } else if byte == 0x0A, end - lineStart >= 60, end + 1 < bytes.count, isBase64(bytes[end + 1]) {
                end += 1
                lineStart = end
            } else {
                break
            }
        }
        return (end, kinds == 7 && end - start >= shortestRun)
    }

    private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, with prefix: [UInt8]) -> Bool {
        guard start + prefix.count <= bytes.count else { return false }
        for (offset, byte) in prefix.enumerated() where bytes[start + offset] != byte { return false }
        return true
    }

    private static func contains(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ wanted: [UInt8]) -> Int? {
        guard bytes.count >= wanted.count else { return nil }
        var index = bytes.startIndex
        while index + wanted.count <= bytes.endIndex {
            if bytes[index] == wanted[0], begins(bytes.base, index, with: wanted) { return index }
            index += 1
        }
        return nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isUpperOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isKeyCharacter(_ byte: UInt8) -> Bool {
        isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        isKeyCharacter(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
    }
}
