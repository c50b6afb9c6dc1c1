/// One range of bytes as a browser asks for it (RFC 9110, section 14).
package struct ByteRangeField: Hashable, Sendable {
    private let first: Int64?
    private let last: Int64?

    /// Nil for several ranges and for other units, which are answered with the whole file.
    package init?(_ text: String) {
        guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
        let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        first = Int64(bounds[0])
        last = Int64(bounds[1])
        guard first != nil || last != nil, last.map({ $0 >= first ?? 0 }) ?? true else { return nil }
    }

    /// Nil where nothing of it is in a file of `size` bytes; otherwise a range inside of it that is not empty.
    package func range(of size: Int64) -> Range<Int64>? {
        if let first {
            guard first < size else { return nil }
            // Any number may come here: the end is cut to the file before one is added.
            return first..<(last.map { min($0, size - 1) + 1 } ?? size)
        }
        guard let last, last > 0, size > 0 else { return nil }
        return max(0, size - last)..<size
    }
}
