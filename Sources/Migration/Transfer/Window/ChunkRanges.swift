/// A set of chunk numbers as sorted, separate half-open ranges. On the wire: `[[first, end], …]`.
public struct ChunkRanges: Hashable, Codable, Sendable {
    /// The most ranges that a message may carry.
    public static let maximumOnWire = 64
    /// The largest chunk number is below this.
    public static let maximumIndex = 1 << 24

    private var chunks = RangeSet<Int>()

    public init() {}

    public init(_ range: Range<Int>) { chunks = RangeSet(range) }

    private init(_ chunks: RangeSet<Int>) { self.chunks = chunks }

    /// - Throws: `DecodingError` for a range that is empty, out of order or out of bounds, and for too many ranges.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var (count, last) = (0, -1)
        while !container.isAtEnd {
            let pair = try container.decode([Int].self)
            guard count < Self.maximumOnWire, pair.count == 2, pair[0] >= 0, pair[0] > last, pair[1] > pair[0],
                pair[1] <= Self.maximumIndex
            else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a list of ranges") }
            chunks.insert(contentsOf: pair[0]..<pair[1])
            (count, last) = (count + 1, pair[1])
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for range in ranges.prefix(Self.maximumOnWire) { try container.encode([range.lowerBound, range.upperBound]) }
    }

    /// None of them empty, in order, with a gap between each and the next.
    public var ranges: RangeSet<Int>.Ranges { chunks.ranges }

    /// The number of chunks in the set.
    public var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// The first chunk that is missing.
    public var cumulative: Int { ranges.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0 }

    public func contains(_ index: Int) -> Bool { chunks.contains(index) }

    public mutating func insert(_ index: Int) { insert(index..<index + 1) }

    public mutating func formUnion(_ other: ChunkRanges) { chunks.formUnion(other.chunks) }

    public mutating func insert(_ range: Range<Int>) { chunks.insert(contentsOf: range) }

    /// The first chunk from `index` on that is not in the set.
    public func firstMissing(from index: Int) -> Int {
        let ranges = ranges
        var (low, high) = (ranges.startIndex, ranges.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > index { high = middle } else { low = middle + 1 }
        }
        return low < ranges.endIndex && ranges[low].contains(index) ? ranges[low].upperBound : index
    }

    /// The lowest `count` ranges that lie above `index`.
    func above(_ index: Int, atMost count: Int) -> ChunkRanges {
        ChunkRanges(RangeSet(ranges.lazy.filter { $0.lowerBound >= index }.prefix(count)))
    }

    /// The `count` ranges with the most chunks: what a message leaves out is only sent once more.
    func longest(_ count: Int) -> ChunkRanges {
        guard ranges.count > count else { return self }
        return ChunkRanges(RangeSet(ranges.sorted { $0.count > $1.count }.prefix(count)))
    }

    /// The chunks that are not in `other`.
    package func subtracting(_ other: ChunkRanges) -> ChunkRanges { ChunkRanges(chunks.subtracting(other.chunks)) }
}
