import Storage

/// The part of a text around what was found.
struct Snippet {
    /// Characters, the ellipses included.
    static let limit = 300
    /// How much stands before the first mark of a longer text.
    private static let before = 60

    let text: String
    /// UTF-16 offsets.
    let marks: [Range<Int>]

    /// - Parameter marked: As `highlight()` gives it: an indexed text with ``SearchText/opening`` and ``SearchText/closing``.
    init(_ marked: String) {
        var scalars: [Unicode.Scalar] = []
        var ranges: [Range<Int>] = []
        var open: Int?
        for scalar in marked.unicodeScalars {
            switch scalar {
            case SearchText.separator: continue
            case SearchText.opening: open = scalars.count
            case SearchText.closing:
                if let start = open, start < scalars.count { ranges.append(start..<scalars.count) }
                open = nil
            default: scalars.append(scalar)
            }
        }
        let window = Self.window(scalars, around: ranges.first)
        var offsets = [0]
        var text = String.UnicodeScalarView()
        if window.lowerBound > 0 {
            text.append("…")
            offsets[0] = 1
        }
        for scalar in scalars[window] {
            text.append(scalar)
            offsets.append((offsets.last ?? 0) + (scalar.value > 0xFFFF ? 2 : 1))
        }
        if window.upperBound < scalars.count { text.append("…") }
        self.text = String(text)
        marks = ranges.compactMap { range in
            let inside = range.clamped(to: window)
            guard !inside.isEmpty else { return nil }
            return offsets[inside.lowerBound - window.lowerBound]..<offsets[inside.upperBound - window.lowerBound]
        }
    }

    private static func window(_ scalars: [Unicode.Scalar], around mark: Range<Int>?) -> Range<Int> {
        guard scalars.count > limit else { return 0..<scalars.count }
        let first = mark?.lowerBound ?? 0
        var start = max(0, min(first - before, scalars.count - (limit - 2)))
        // A word's beginning, where one is near.
        if start > 0, let space = scalars[start..<max(start, min(first, start + 20))].firstIndex(of: " ") {
            start = space + 1
        }
        while start > 0, start < first, continues(scalars[start]) { start += 1 }
        var end = min(scalars.count, start + limit - 2)
        while end > start + 1, end < scalars.count, continues(scalars[end]) { end -= 1 }
        return start..<end
    }

    /// Whether a scalar is shown together with the one before it.
    private static func continues(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isGraphemeExtend || scalar == "\u{200D}"
    }
}
