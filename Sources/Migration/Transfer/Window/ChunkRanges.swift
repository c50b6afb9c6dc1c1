/// A set of chunk numbers as sorted, separate half-open ranges. On the wire: `[[first, end], …]`.
public struct ChunkRanges: Hashable, Codable, Sendable {
    /// The most ranges that a message may carry.
    public static let maximumOnWire = 64
    /// The largest chunk number is below this.
    public static let maximumIndex = 1 << 24

    public private(set) var ranges: [Range<Int>] = []

    public init() {}

    public init(_ range: Range<Int>) {
        if !range.isEmpty { ranges = [range] }
    }

    /// - Throws: `DecodingError` for a range that is empty, out of order or out of bounds, and for too many ranges.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let pair = try container.decode([Int].self)
            let last = ranges.last?.upperBound ?? -1
            guard ranges.count < Self.maximumOnWire, pair.count == 2, pair[0] >= 0, pair[0] > last, pair[1] > pair[0],
                pair[1] <= Self.maximumIndex
            else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a list of ranges") }
            ranges.append(pair[0]..<pair[1])
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for range in ranges.prefix(Self.maximumOnWire) { try container.encode([range.lowerBound, range.upperBound]) }
    }

    /// The number of chunks in the set.
    public var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// The first chunk that is missing.
    public var cumulative: Int { ranges.first?.lowerBound == 0 ? ranges[0].upperBound : 0 }

    public func contains(_ index: Int) -> Bool {
        let place = firstPlace { $0.upperBound > index }
        return place < ranges.count && ranges[place].contains(index)
    }

    public mutating func insert(_ index: Int) { insert(index..<index + 1) }

    public mutating func insert(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let first = firstPlace { $0.upperBound >= range.lowerBound }
        let end = firstPlace { $0.lowerBound > range.upperBound }
        var joined = range
        if first < end {
            joined = min(range.lowerBound, ranges[first].lowerBound)..<max(range.upperBound, ranges[end - 1].upperBound)
        }
        ranges.replaceSubrange(first..<max(first, end), with: [joined])
    }

    /// The first chunk from `index` on that is not in the set.
    public func firstMissing(from index: Int) -> Int {
        let place = firstPlace { $0.upperBound > index }
        return place < ranges.count && ranges[place].contains(index) ? ranges[place].upperBound : index
    }

    /// The lowest `count` ranges that lie above `index`.
    func above(_ index: Int, atMost count: Int) -> ChunkRanges {
        var result = ChunkRanges()
        result.ranges = Array(ranges.lazy.filter { $0.lowerBound >= index }.prefix(count))
        return result
    }

    /// The `count` ranges with the most chunks: what a message leaves out is only sent once more.
    func longest(_ count: Int) -> ChunkRanges {
        guard ranges.count > count else { return self }
        var result = ChunkRanges()
        for range in ranges.sorted(by: { $0.count > $1.count }).prefix(count) { result.insert(range) }
        return result
    }

    /// The chunks that are not in `other`.
    package func subtracting(_ other: ChunkRanges) -> ChunkRanges {
        var result = ChunkRanges()
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

    /// The first range for which `isPast` holds; it holds for all behind that one.
    private func firstPlace(where isPast: (Range<Int>) -> Bool) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if isPast(ranges[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
