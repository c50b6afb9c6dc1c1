/// The padding of plaintexts: length (4 bytes, big-endian) ‖ body ‖ zeros. The zeros hide the length of a keystroke or a
/// short answer. Source: `docs/protocol.md` 2.5.
enum RecordPadding {
    static func pad(_ head: [UInt8], _ rest: [UInt8]) -> [UInt8] {
        let count = head.count + rest.count
        let paddedCount = paddedCount(ofBody: count)
        var padded: [UInt8] = []
        padded.reserveCapacity(paddedCount)
        withUnsafeBytes(of: UInt32(count).bigEndian) { padded += $0 }
        padded += head
        padded += rest
        padded += repeatElement(0, count: paddedCount - padded.count)
        return padded
    }

    /// The body in a padded plaintext; nil when the length does not fit.
    static func body(of plaintext: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard plaintext.count >= 4 else { return nil }
        let count = Int(UInt32(bigEndian: plaintext.loadUnaligned(as: UInt32.self)))
        guard count <= plaintext.count - 4 else { return nil }
        return UnsafeRawBufferPointer(rebasing: plaintext[4..<4 + count])
    }

    /// The padded length in bytes: the next multiple of 64, or of 256 above 1024.
    static func paddedCount(ofBody count: Int) -> Int {
        let step = count + 4 > 1024 ? 256 : 64
        return (count + 4 + step - 1) / step * step
    }
}
