import Foundation

/// Links and pictures in Markdown: `[…](target)`, `![…](target)` and `![[target]]`.
enum MarkdownLinks {
    /// Longer targets are none.
    private static let targetLimit = 1024

    /// Puts a medium in the place of each target that `find` knows.
    ///
    /// - Parameter find: The path and the id of a file that a target means; nil for a target that stays.
    static func replaced(
        in text: String,
        find: (String) -> (path: String, id: String)?
    ) -> (text: String, found: [(path: String, id: String)]) {
        var (result, rest) = ("", Substring(text))
        var found: [(path: String, id: String)] = []
        func note(_ link: (path: String, id: String)) {
            if !found.contains(where: { $0.id == link.id }) { found.append(link) }
        }
        while let mark = next(in: rest) {
            result += rest[..<mark.open]
            let behind = rest[mark.start...]
            if let end = mark.isWiki ? close(of: behind, "]]") : close(of: behind, ")") {
                let target =
                    behind[..<end.lowerBound].split(separator: mark.isWiki ? "|" : " ").first.map(String.init) ?? ""
                let bare =
                    target.hasPrefix("<") && target.hasSuffix(">") ? String(target.dropFirst().dropLast()) : target
                if let link = find(bare) {
                    note(link)
                    result += mark.isWiki ? "![](media://\(link.id))" : "](media://\(link.id))"
                } else {
                    result += rest[mark.open..<end.upperBound]
                }
                rest = behind[end.upperBound...]
            } else {
                result += rest[mark.open..<mark.start]
                rest = behind
            }
        }
        return (result + rest, found)
    }

    /// The next place where a target begins, and where the mark before it does.
    private static func next(in text: Substring) -> (open: String.Index, start: String.Index, isWiki: Bool)? {
        let (link, wiki) = (text.range(of: "]("), text.range(of: "![["))
        switch (link, wiki) {
        case (nil, nil): return nil
        case (let link?, nil): return (link.lowerBound, link.upperBound, false)
        case (nil, let wiki?): return (wiki.lowerBound, wiki.upperBound, true)
        case (let link?, let wiki?):
            return wiki.lowerBound < link.lowerBound
                ? (wiki.lowerBound, wiki.upperBound, true) : (link.lowerBound, link.upperBound, false)
        }
    }

    private static func close(of text: Substring, _ mark: String) -> Range<String.Index>? {
        text.prefix(targetLimit).prefix { $0 != "\n" }.range(of: mark)
    }
}
