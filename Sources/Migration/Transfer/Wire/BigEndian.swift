extension Array where Element == UInt8 {
    mutating func append(bigEndian value: UInt32) {
        for shift in stride(from: UInt32(24), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func append(bigEndian value: UInt64) {
        append(bigEndian: UInt32(value >> 32))
        append(bigEndian: UInt32(truncatingIfNeeded: value))
    }

    /// The number at `offset`, whose four bytes the caller has made sure of.
    func bigEndian32(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The number at `offset`, whose eight bytes the caller has made sure of.
    func bigEndian64(at offset: Int) -> UInt64 {
        self[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
