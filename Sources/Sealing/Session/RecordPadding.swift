/// Plaintexts as sealed: length (4 bytes, big-endian) ‖ body ‖ zeros. The zeros hide how long a keystroke's or a short
/// answer's record is. Source: `docs/protocol.md` 2.5.
enum RecordPadding {
    static func pad(_ body: [UInt8]) -> [UInt8] {
        let paddedCount = paddedCount(ofBody: body.count)
        var padded: [UInt8] = []
        padded.reserveCapacity(paddedCount)
        for shift in [24, 16, 8, 0] { padded.append(UInt8(truncatingIfNeeded: body.count >> shift)) }
        padded += body
        padded += repeatElement(0, count: paddedCount - padded.count)
        return padded
    }

    /// Nil when the length does not fit.
    static func body(of plaintext: UnsafeRawBufferPointer) -> [UInt8]? {
        guard plaintext.count >= 4 else { return nil }
        let count = plaintext.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard count <= plaintext.count - 4 else { return nil }
        return Array(plaintext[4..<4 + count])
    }

    /// The next multiple of 64, of 256 above 1024.
    static func paddedCount(ofBody count: Int) -> Int {
        let step = count + 4 > 1024 ? 256 : 64
        return (count + 4 + step - 1) / step * step
    }
}
