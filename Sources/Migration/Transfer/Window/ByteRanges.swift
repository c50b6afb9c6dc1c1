/// A set of a package's bytes as sorted, separate half-open ranges.
package struct ByteRanges: Hashable, Sendable {
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    package init(_ ranges: some Sequence<Range<Int64>>) {
        for range in ranges { insert(range) }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    package mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
        let end = ranges.firstIndex { $0.lowerBound > range.upperBound } ?? ranges.endIndex
        var joined = range
        if first < end {
            joined = min(range.lowerBound, ranges[first].lowerBound)..<max(range.upperBound, ranges[end - 1].upperBound)
        }
        ranges.replaceSubrange(first..<max(first, end), with: [joined])
    }

    /// The bytes that are not in `other`.
    package func subtracting(_ other: ByteRanges) -> ByteRanges {
        var result = ByteRanges()
        for range in ranges {
            var start = range.lowerBound
            for taken in other.ranges where taken.overlaps(range) {
                result.insert(start..<max(start, taken.lowerBound))
                start = max(start, taken.upperBound)
            }
            result.insert(start..<max(start, range.upperBound))
        }
        return result
    }

    /// The bytes that are in `other` too.
    package func intersection(_ other: ByteRanges) -> ByteRanges { subtracting(subtracting(other)) }
}

extension BackupMeta {
    /// The bytes of chunks; those above ``chunkCount`` have none.
    package func byteRanges(of chunks: ChunkRanges) -> ByteRanges {
        ByteRanges(
            chunks.ranges.map { range in
                let start = Int64(range.lowerBound) * Int64(chunkSize)
                return min(start, encSize)..<min(Int64(range.upperBound) * Int64(chunkSize), encSize)
            }
        )
    }

    /// The chunks that have one of the bytes.
    package func chunks(with bytes: ByteRanges) -> ChunkRanges {
        var chunks = ChunkRanges()
        for range in bytes.ranges {
            let start = Int(max(0, range.lowerBound) / Int64(chunkSize))
            let end = Int((min(range.upperBound, encSize) - 1) / Int64(chunkSize)) + 1
            if start < end { chunks.insert(start..<end) }
        }
        return chunks
    }
}
