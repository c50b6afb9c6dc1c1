/// Sound in WebM. Source: RFC 8794 (EBML) and RFC 9559 (Matroska).
enum WebMSound {
    private enum Element {
        static let segment: UInt64 = 0x1853_8067
        static let information: UInt64 = 0x1549_A966
        static let timestampScale: UInt64 = 0x2A_D7B1
        static let duration: UInt64 = 0x4489
        static let tracks: UInt64 = 0x1654_AE6B
        static let track: UInt64 = 0xAE
        static let trackType: UInt64 = 0x83
        static let cluster: UInt64 = 0x1F43_B675
        static let timestamp: UInt64 = 0xE7
        static let simpleBlock: UInt64 = 0xA3
        static let blockGroup: UInt64 = 0xA0
        static let block: UInt64 = 0xA1

        /// Elements that are only looked into. A recorder does not know the sizes of the first and the last of them while it writes.
        static let containers: Set = [segment, information, tracks, track, cluster, blockGroup]
    }

    private static let soundTrack: UInt64 = 2

    /// What was read so far.
    private struct Reading {
        /// Nanoseconds.
        var scale = 1_000_000.0
        /// In units of the scale, as the head says it; live recordings have none.
        var announced = 0.0
        var trackTypes: Set<UInt64> = []
        var cluster: Int64 = 0
        /// Of the first and the last block, in units of the scale.
        var blocks: ClosedRange<Int64>?
    }

    /// Nil for what holds anything but sound.
    static func duration(of bytes: [UInt8]) -> Duration? {
        var cursor = ByteCursor(bytes[...])
        var reading = Reading()
        while let id = identifier(&cursor), let size = size(&cursor) {
            if Element.containers.contains(id) { continue }
            // Only containers may be of unknown size. One that is cut off ends the file.
            guard let size, let count = Int(exactly: size), let content = cursor.take(count) else { break }
            guard take(id, content, &reading) else { return nil }
        }
        guard reading.trackTypes == [soundTrack], reading.scale > 0, reading.scale <= 1e9 else { return nil }
        let measured = reading.blocks.map { Double($0.upperBound - $0.lowerBound) } ?? 0
        let nanoseconds = max(measured, reading.announced) * reading.scale
        guard nanoseconds.isFinite, nanoseconds < 1e15 else { return nil }
        return .nanoseconds(Int64(nanoseconds))
    }

    /// - Returns: False for what no recording holds.
    private static func take(_ id: UInt64, _ content: ArraySlice<UInt8>, _ reading: inout Reading) -> Bool {
        switch id {
        case Element.timestampScale: reading.scale = Double(number(content))
        case Element.duration: reading.announced = max(reading.announced, float(content))
        case Element.trackType: reading.trackTypes.insert(number(content))
        case Element.timestamp:
            guard let time = Int64(exactly: number(content)), time < 1 << 48 else { return false }
            reading.cluster = time
        case Element.simpleBlock, Element.block:
            var block = ByteCursor(content)
            guard identifier(&block, limit: 8, keepingMarker: false) != nil, let offset = block.bigEndian(2) else {
                return false
            }
            let time = reading.cluster + Int64(Int16(bitPattern: UInt16(offset)))
            let known = reading.blocks ?? time...time
            reading.blocks = min(known.lowerBound, time)...max(known.upperBound, time)
        default: break
        }
        return true
    }

    // MARK: EBML

    /// A number whose length is in its first byte: an element's name with the marker, others without.
    private static func identifier(
        _ cursor: inout ByteCursor,
        limit: Int = 4,
        keepingMarker: Bool = true
    ) -> UInt64? {
        guard let first = cursor.bigEndian(1), first > 0 else { return nil }
        let length = UInt8(first).leadingZeroBitCount + 1
        guard length <= limit else { return nil }
        let rest = length == 1 ? 0 : cursor.bigEndian(length - 1)
        guard let rest else { return nil }
        let head = keepingMarker ? first : first & (0xFF >> UInt64(length))
        return head << (8 * UInt64(length - 1)) | rest
    }

    /// The outer nil is the file's end, the inner one an unknown size: all bits set.
    private static func size(_ cursor: inout ByteCursor) -> UInt64?? {
        let start = cursor.position
        guard let size = identifier(&cursor, limit: 8, keepingMarker: false) else { return nil }
        let bits = UInt64(7 * (cursor.position - start))
        return .some(size == (1 << bits) - 1 ? nil : size)
    }

    private static func number(_ content: ArraySlice<UInt8>) -> UInt64 {
        content.count > 8 ? .max : content.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func float(_ content: ArraySlice<UInt8>) -> Double {
        let value =
            switch content.count {
            case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: number(content))))
            case 8: Double(bitPattern: number(content))
            default: 0.0
            }
        return value.isFinite ? value : 0
    }
}
