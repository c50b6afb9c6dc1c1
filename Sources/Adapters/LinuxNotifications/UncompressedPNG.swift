import DesktopNotifications

/// Pixels as a file that picture libraries read. Source: TIFF, revision 6.0, sections 2 and 18.
enum UncompressedTIFF {
    private enum Kind: UInt16 {
        case short = 3
        case long = 4
    }

    static func bytes(of pixels: BusPixels) -> [UInt8] {
        let channels = pixels.channels
        let samples = UInt32(channels)
        var entries: [(tag: UInt16, kind: Kind, count: UInt32, value: UInt32)] = [
            (256, .long, 1, UInt32(pixels.width)), (257, .long, 1, UInt32(pixels.height)),
            // Bits of each sample stand behind the directory.
            (258, .short, samples, 0), (259, .short, 1, 1), (262, .short, 1, 2), (273, .long, 1, 0),
            (277, .short, 1, samples), (278, .long, 1, UInt32(pixels.height)),
            (279, .long, 1, UInt32(pixels.bytes.count)),
        ]
        // Alpha that is not multiplied into the colours.
        if pixels.hasAlpha { entries.append((338, .short, 1, 2)) }
        let bits = 8 + 2 + entries.count * 12 + 4
        let data = bits + channels * 2
        entries[2].value = UInt32(bits)
        entries[5].value = UInt32(data)
        var file: [UInt8] = []
        file.reserveCapacity(data + pixels.bytes.count)
        func add<Value: FixedWidthInteger>(_ value: Value) {
            withUnsafeBytes(of: value.littleEndian) { file += $0 }
        }
        file += Array("II".utf8)
        add(UInt16(42))
        add(UInt32(8))
        add(UInt16(entries.count))
        for entry in entries {
            add(entry.tag)
            add(entry.kind.rawValue)
            add(entry.count)
            // In little-endian order a short stands at the beginning of its four bytes, as a long of the same value does.
            add(entry.value)
        }
        add(UInt32(0))
        for _ in 0..<channels { add(UInt16(8)) }
        return file + pixels.bytes
    }
}
