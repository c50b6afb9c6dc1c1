/// The padding of what is sealed: length (4 bytes, big-endian) ‖ content ‖ zeros. The zeros leave few sizes to see: 256 bytes, 1 KiB, 4 KiB, and multiples of
/// 4 KiB up to 64. Source: `docs/protocol.md` 2.10.3.
enum SealedPadding {
    private static let step = 4 << 10

    /// - Throws: ``ChatSealingError/tooLarge(_:limit:)``.
    static func pad(_ content: [UInt8]) throws(ChatSealingError) -> [UInt8] {
        let count = content.count + 4
        guard count <= SealedContent.byteLimit else {
            throw .tooLarge("the message", limit: SealedContent.byteLimit - 4)
        }
        var padded: [UInt8] = []
        padded.reserveCapacity(paddedCount(count))
        withUnsafeBytes(of: UInt32(content.count).bigEndian) { padded += $0 }
        padded += content
        padded += repeatElement(0, count: paddedCount(count) - count)
        return padded
    }

    /// - Throws: ``ChatSealingError/damaged`` for any other form than the one that ``pad(_:)`` makes.
    static func content(of padded: [UInt8]) throws(ChatSealingError) -> [UInt8] {
        guard padded.count >= 4, padded.count <= SealedContent.byteLimit else { throw .damaged }
        let count = padded[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard count <= padded.count - 4, paddedCount(count + 4) == padded.count,
            padded[(4 + count)...].allSatisfy({ $0 == 0 })
        else { throw .damaged }
        return Array(padded[4..<(4 + count)])
    }

    private static func paddedCount(_ count: Int) -> Int {
        switch count {
        case ...256: 256
        case ...1024: 1024
        default: (count + step - 1) / step * step
        }
    }
}
