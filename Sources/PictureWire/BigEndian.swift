/// Numbers of 32 bits as frames hold them: the highest byte first.
enum BigEndian {
    static func append(_ number: Int, to bytes: inout [UInt8]) {
        let number = UInt32(clamping: number)
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
    }

    /// - Parameter offset: At least four bytes lie behind it.
    static func number(in bytes: [UInt8], at offset: Int) -> Int {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
}
