/// Which bytes of a file there are: ranges in order that neither touch nor overlap.
package struct ByteRanges: Hashable, Sendable {
    private var bytes = RangeSet<Int64>()

    package init() {}

    package init(_ range: Range<Int64>) { insert(range) }

    /// Each from its first byte to before its last, none of them empty.
    package var ranges: RangeSet<Int64>.Ranges { bytes.ranges }

    /// Bytes in all ranges together.
    package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// How far it goes without a gap from the start.
    package var end: Int64 { ranges.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0 }

    /// Whether every byte of `range` is there; true for an empty one.
    package func contains(_ range: Range<Int64>) -> Bool { missing(in: range).isEmpty }

    /// Joins `range` with those that it touches or overlaps.
    package mutating func insert(_ range: Range<Int64>) { bytes.insert(contentsOf: range) }

    package mutating func formUnion(_ other: ByteRanges) { bytes.formUnion(other.bytes) }

    /// The parts of `whole` that are not there.
    package func missing(in whole: Range<Int64>) -> RangeSet<Int64>.Ranges { RangeSet(whole).subtracting(bytes).ranges }
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
