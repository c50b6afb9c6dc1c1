/// Opus in Ogg. Source: RFC 3533, section 6 (pages), and RFC 7845, sections 4 and 5 (granule positions and the head).
enum OggOpus {
    /// Samples a second that granule positions count, whatever was recorded.
    private static let rate = 48_000.0
    /// The granule position of a page on which no packet ends.
    private static let noPosition = UInt64.max

    /// Nil for what is not one stream of Opus.
    static func duration(of bytes: [UInt8]) -> Duration? {
        var cursor = ByteCursor(bytes[...])
        guard let head = page(&cursor), let skipped = preSkip(head.body) else { return nil }
        var last: UInt64 = 0
        while let page = page(&cursor) {
            // Another stream in the file may be pictures.
            guard page.serial == head.serial else { return nil }
            if page.position != noPosition { last = max(last, page.position) }
        }
        guard last > UInt64(skipped), last < UInt64(Int64.max) else { return nil }
        return .seconds(Double(last - UInt64(skipped)) / rate)
    }

    private struct Page {
        var position: UInt64
        var serial: UInt64
        var body: ArraySlice<UInt8>
    }

    /// Nil at the end, and at the first bytes that are no page: a recorder that was killed leaves half of one.
    private static func page(_ cursor: inout ByteCursor) -> Page? {
        guard cursor.text(4) == "OggS", cursor.bigEndian(1) == 0, cursor.skip(1),
            let position = cursor.littleEndian(8), let serial = cursor.littleEndian(4), cursor.skip(8),
            let count = cursor.bigEndian(1), let lengths = cursor.take(Int(count)),
            let body = cursor.take(lengths.reduce(0) { $0 + Int($1) })
        else { return nil }
        return Page(position: position, serial: serial, body: body)
    }

    /// Samples at the beginning that are not heard; nil for a page that is not the head of Opus.
    private static func preSkip(_ body: ArraySlice<UInt8>) -> UInt64? {
        var cursor = ByteCursor(body)
        guard cursor.text(8) == "OpusHead", let version = cursor.bigEndian(1), version < 16,
            let channels = cursor.bigEndian(1), channels > 0
        else { return nil }
        return cursor.littleEndian(2)
    }
}
