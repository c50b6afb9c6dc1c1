/// Which bytes of a file there are: ranges in order that neither touch nor overlap.
package struct ByteRanges: Hashable, Sendable {
    /// Each from its first byte to before its last, none of them empty.
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    package init(_ range: Range<Int64>) { insert(range) }

    /// Bytes in all ranges together.
    package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// How far it goes without a gap from the start.
    package var end: Int64 { ranges.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0 }

    /// Whether every byte of `range` is there; true for an empty one.
    package func contains(_ range: Range<Int64>) -> Bool {
        guard !range.isEmpty else { return true }
        let index = firstIndex(endingAtOrAfter: range.lowerBound + 1)
        return index < ranges.count && ranges[index].lowerBound <= range.lowerBound
            && ranges[index].upperBound >= range.upperBound
    }

    /// Joins `range` with those that it touches or overlaps.
    package mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = firstIndex(endingAtOrAfter: range.lowerBound)
        var last = first
        var merged = range
        while last < ranges.count, ranges[last].lowerBound <= range.upperBound {
            merged = min(merged.lowerBound, ranges[last].lowerBound)..<max(merged.upperBound, ranges[last].upperBound)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: CollectionOfOne(merged))
    }

    package mutating func formUnion(_ other: ByteRanges) {
        for range in other.ranges { insert(range) }
    }

    /// The parts of `whole` that are not there.
    package func missing(in whole: Range<Int64>) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position = whole.lowerBound
        for range in ranges[firstIndex(endingAtOrAfter: whole.lowerBound)...] {
            guard range.lowerBound < whole.upperBound else { break }
            if range.lowerBound > position { gaps.append(position..<range.lowerBound) }
            position = max(position, range.upperBound)
        }
        if position < whole.upperBound { gaps.append(position..<whole.upperBound) }
        return gaps
    }

    private func firstIndex(endingAtOrAfter position: Int64) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ByteRanges: Codable {
    /// Pairs of start and end: `[[0,65536],[131072,196608]]`.
    package init(from decoder: any Decoder) throws {
        for pair in try decoder.singleValueContainer().decode([[Int64]].self) {
            guard pair.count == 2, pair[0] >= 0, pair[0] <= pair[1] else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "a range is a start and an end")
                )
            }
            insert(pair[0]..<pair[1])
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ranges.map { [$0.lowerBound, $0.upperBound] })
    }
}
