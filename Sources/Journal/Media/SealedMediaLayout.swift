/// The arithmetic of an encrypted medium: a header of 64 bytes, then segments of up to 64 KiB, each with a tag of 16 bytes. So any part of a
/// video is found without reading what is before it.
enum SealedMediaLayout {
    static let header = 64
    static let segment = 1 << 16
    static let tag = 16
    static let sealedSegment = segment + tag

    /// Bytes of the encrypted file of so many bytes.
    static func fileSize(of plain: Int64) -> Int64 {
        Int64(header) + plain + Int64(tag) * max(1, (plain + Int64(segment) - 1) / Int64(segment))
    }

    /// Bytes inside of an encrypted file; nil for a size that no such file has.
    static func plainSize(of file: Int64) -> Int64? {
        let body = file - Int64(header)
        guard body >= Int64(tag) else { return nil }
        let segments = (body + Int64(sealedSegment) - 1) / Int64(sealedSegment)
        // Each segment has a number of 32 bits.
        guard segments <= Int64(UInt32.max) else { return nil }
        let plain = body - segments * Int64(tag)
        // Only an empty file has an empty segment.
        guard plain >= 0, fileSize(of: plain) == file else { return nil }
        return plain
    }
}
