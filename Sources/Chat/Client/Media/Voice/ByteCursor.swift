/// Reads numbers from a file's bytes, one behind the other. Every read is nil behind the end, and none goes further.
struct ByteCursor {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var left: Int { bytes.endIndex - position }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= left else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// - Returns: False, with nothing passed over, behind the end.
    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    /// - Parameter count: Bytes, 1 to 8.
    mutating func bigEndian(_ count: Int) -> UInt64? { take(count)?.reduce(0) { $0 << 8 | UInt64($1) } }

    /// - Parameter count: Bytes, 1 to 8.
    mutating func littleEndian(_ count: Int) -> UInt64? { take(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    mutating func text(_ count: Int) -> String? { take(count).map { String(decoding: $0, as: Unicode.ASCII.self) } }
}
