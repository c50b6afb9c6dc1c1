extension BackupMeta {
    /// The bytes of chunks; those above ``chunkCount`` have none.
    package func byteRanges(of chunks: ChunkRanges) -> RangeSet<Int64> {
        RangeSet(
            chunks.ranges.map { range in
                let start = Int64(range.lowerBound) * Int64(chunkSize)
                return min(start, encSize)..<min(Int64(range.upperBound) * Int64(chunkSize), encSize)
            }
        )
    }

    /// The chunks that have one of the bytes.
    package func chunks(with bytes: RangeSet<Int64>) -> ChunkRanges {
        var chunks = ChunkRanges()
        for range in bytes.ranges {
            let start = Int(max(0, range.lowerBound) / Int64(chunkSize))
            let end = Int((min(range.upperBound, encSize) - 1) / Int64(chunkSize)) + 1
            if start < end { chunks.insert(start..<end) }
        }
        return chunks
    }
}
