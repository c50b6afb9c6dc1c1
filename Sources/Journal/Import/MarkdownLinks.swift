/// Links and pictures in Markdown: `[…](target)`, `![…](target)` and `![[target]]`. Each byte is looked at a bounded number of times.
enum MarkdownLinks {
    /// Bytes of a target; longer ones are none.
    private static let targetLimit = 1024

    /// Puts a medium in the place of each target that `find` knows.
    ///
    /// - Parameter find: The path and the id of a file that a target means; nil for a target that stays.
    static func replaced(
        in text: String,
        find: (String) -> (path: String, id: String)?
    ) -> (text: String, found: [(path: String, id: String)]) {
        let bytes = Array(text.utf8)
        var (result, found, known) = ([UInt8](), [(path: String, id: String)](), Set<String>())
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard let mark = mark(bytes, at: index), let end = close(bytes, from: index + mark.length, mark.isWiki),
                let link = find(target(bytes[(index + mark.length)..<end], mark.isWiki))
            else {
                result.append(bytes[index])
                index += 1
                continue
            }
            if known.insert(link.id).inserted { found.append(link) }
            result += Array((mark.isWiki ? "![](media://\(link.id))" : "](media://\(link.id))").utf8)
            index = end + (mark.isWiki ? 2 : 1)
        }
        return (String(decoding: result, as: UTF8.self), found)
    }

    private static func mark(_ bytes: [UInt8], at index: Int) -> (length: Int, isWiki: Bool)? {
        let next = bytes[index..<min(index + 3, bytes.count)]
        if next.starts(with: "](".utf8) { return (2, false) }
        return next.elementsEqual("![[".utf8) ? (3, true) : nil
    }

    /// The place of the closing bracket. A target goes over no line and holds no other opening bracket.
    private static func close(_ bytes: [UInt8], from start: Int, _ isWiki: Bool) -> Int? {
        for index in start..<min(start + targetLimit, bytes.count) {
            switch bytes[index] {
            case UInt8(ascii: "\n"), UInt8(ascii: "["): return nil
            case UInt8(ascii: "("): if !isWiki { return nil }
            case UInt8(ascii: ")"): if !isWiki { return index }
            case UInt8(ascii: "]"):
                if isWiki { return index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "]") ? index : nil }
            default: break
            }
        }
        return nil
    }

    /// Without a title or a width behind it, and without angle brackets around it.
    private static func target(_ bytes: ArraySlice<UInt8>, _ isWiki: Bool) -> String {
        if !isWiki, bytes.first == UInt8(ascii: "<"), let end = bytes.firstIndex(of: UInt8(ascii: ">")) {
            return String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self)
        }
        let end = bytes.firstIndex(of: isWiki ? UInt8(ascii: "|") : UInt8(ascii: " ")) ?? bytes.endIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
