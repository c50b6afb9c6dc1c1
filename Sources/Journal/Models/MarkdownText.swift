/// Markdown as plain text, for lists and for searching. One pass over its bytes: all marks are ASCII, and characters cost ten times as much.
enum MarkdownText {
    /// The text without marks of headings, quotes, emphasis and code; of a link its words, of a picture its description.
    static func plain(_ markdown: String) -> String {
        var markdown = markdown
        return markdown.withUTF8 { bytes in
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            var (index, isFirst, isBlankBefore) = (0, true, true)
            while index <= bytes.count {
                let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                let before = result.count
                if !isFirst { result.append(UInt8(ascii: "\n")) }
                let start = result.count
                inline(bytes, index..<end, to: &result)
                if result.count == start, isBlankBefore {
                    // A fence of code, or a line of marks alone.
                    result.removeSubrange(before...)
                } else {
                    isBlankBefore = result.count == start
                    isFirst = false
                }
                index = end + 1
            }
            while result.last == UInt8(ascii: "\n") { result.removeLast() }
            return String(decoding: result, as: UTF8.self)
        }
    }

    /// The first line with anything in it, at most so many characters.
    static func title(_ plain: String, limit: Int = 120) -> String {
        var rest = plain[...]
        while !rest.isEmpty {
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = rest[..<end]
            if line.contains(where: { !$0.isWhitespace }) {
                let cut = line.index(line.startIndex, offsetBy: limit, limitedBy: line.endIndex) ?? line.endIndex
                return cut < line.endIndex ? String(line.prefix(limit - 1)) + "…" : String(line)
            }
            rest = end < rest.endIndex ? rest[rest.utf8.index(after: end)...] : ""
        }
        return ""
    }

    /// Appends one line without its marks and without white space at its end.
    private static func inline(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, to result: inout [UInt8]) {
        let start = result.count
        var index = line.lowerBound
        while index < line.upperBound, "#> ".utf8.contains(bytes[index]) { index += 1 }
        while index < line.upperBound {
            let byte = bytes[index]
            index += 1
            let next = index < line.upperBound ? bytes[index] : 0
            switch byte {
            case UInt8(ascii: "\\") where isPunctuation(next):
                result.append(next)
                index += 1
            case UInt8(ascii: "*"), UInt8(ascii: "`"), UInt8(ascii: "["): continue
            case UInt8(ascii: "~") where next == UInt8(ascii: "~"): index += 1
            case UInt8(ascii: "!") where next == UInt8(ascii: "["): continue
            case UInt8(ascii: "]") where next == UInt8(ascii: "("):
                index = end(ofTarget: bytes, from: index, to: line.upperBound)
            case UInt8(ascii: "]"): continue
            default: result.append(byte)
            }
        }
        while result.count > start, let last = result.last, last == 0x20 || (0x09...0x0D).contains(last) {
            result.removeLast()
        }
    }

    /// The place behind a link's target; the same place where it has none. A target holds no other opening bracket, so that no part of a line is
    /// searched twice.
    private static func end(ofTarget bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int) -> Int {
        var index = start + 1
        while index < limit {
            switch bytes[index] {
            case UInt8(ascii: ")"): return index + 1
            case UInt8(ascii: "("), UInt8(ascii: "["): return start
            default: index += 1
            }
        }
        return start
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
            || (0x7B...0x7E).contains(byte)
    }
}
