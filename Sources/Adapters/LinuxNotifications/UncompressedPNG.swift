import DesktopNotifications

/// Pixels as a file that picture libraries read. Nothing is compressed, since the picture is made small afterwards. Source: PNG, third edition;
/// RFC 1950; RFC 1951 section 3.2.4.
enum UncompressedPNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Bytes of a stored block.
    private static let blockLimit = 0xFFFF
    /// The table of each byte's checksum, for the CRC of a chunk.
    private static let checksums: [UInt32] = (0..<256).map { (number: UInt32) -> UInt32 in
        var sum = number
        for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        return sum
    }

    static func bytes(of pixels: BusPixels) -> [UInt8] {
        var file = signature
        // Eight bits a sample, of colours (2) or of colours and alpha (6); the other three are the only ones there are, and no interlacing.
        let kind: [UInt8] = [8, pixels.hasAlpha ? 6 : 2, 0, 0, 0]
        add("IHDR", bytes(of: UInt32(pixels.width)) + bytes(of: UInt32(pixels.height)) + kind, to: &file)
        add("IDAT", stored(rows(of: pixels)), to: &file)
        add("IEND", [], to: &file)
        return file
    }

    /// Each row behind the number of its filter: none.
    private static func rows(of pixels: BusPixels) -> [UInt8] {
        let width = pixels.width * pixels.channels
        var rows: [UInt8] = []
        rows.reserveCapacity((width + 1) * pixels.height)
        for row in 0..<pixels.height {
            rows.append(0)
            rows += pixels.bytes[row * width..<(row + 1) * width]
        }
        return rows
    }

    /// A zlib stream of stored blocks.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        stream.reserveCapacity(data.count + data.count / blockLimit * 5 + 16)
        for start in stride(from: 0, to: data.count, by: blockLimit) {
            let block = data[start..<min(start + blockLimit, data.count)]
            let length = UInt16(block.count)
            stream.append(block.endIndex == data.count ? 1 : 0)
            for number in [length, ~length] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            stream += block
        }
        var (first, second): (UInt32, UInt32) = (1, 0)
        for byte in data {
            first = (first + UInt32(byte)) % 65_521
            second = (second + first) % 65_521
        }
        return stream + bytes(of: second << 16 | first)
    }

    private static func add(_ name: String, _ data: [UInt8], to file: inout [UInt8]) {
        let named = Array(name.utf8) + data
        var sum = UInt32.max
        for byte in named { sum = (sum >> 8) ^ checksums[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
        file += bytes(of: UInt32(data.count)) + named + bytes(of: ~sum)
    }

    private static func bytes(of number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
