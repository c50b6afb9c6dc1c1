@testable import Archives

/// A zip archive whose every field may lie.
struct RawZip {
    struct Entry {
        var name: [UInt8]
        var body: [UInt8]
        var method: UInt16 = 0
        var flags: UInt16 = 0x0800
        var crc32: UInt32
        var size: UInt32
        var packedSize: UInt32
        var attributes: UInt32 = 0o100644 << 16
        /// What the directory says instead.
        var directoryName: [UInt8]?
        var directorySize: UInt32?
        var directoryOffset: UInt32?
        /// Bytes that stand in front of the local header.
        var gap: [UInt8] = []

        init(_ name: String, _ body: String) {
            self.name = Array(name.utf8)
            self.body = Array(body.utf8)
            var checksum = CRC32()
            checksum.update(self.body)
            crc32 = checksum.value
            size = UInt32(self.body.count)
            packedSize = size
        }
    }

    var entries: [Entry]
    var isListed = true
    var count: UInt16?

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var records: [UInt8] = []
        for entry in entries {
            bytes += entry.gap
            let offset = entry.directoryOffset ?? UInt32(bytes.count)
            let common = { (name: [UInt8], size: UInt32) -> [UInt8] in
                Self.number(UInt16(20)) + Self.number(entry.flags) + Self.number(entry.method) + [0, 0, 33, 0]
                    + Self.number(entry.crc32) + Self.number(entry.packedSize) + Self.number(size)
                    + Self.number(UInt16(name.count)) + [0, 0]
            }
            bytes += [0x50, 0x4B, 3, 4] + common(entry.name, entry.size) + entry.name + entry.body
            let name = entry.directoryName ?? entry.name
            records += [0x50, 0x4B, 1, 2, 20, 3] + common(name, entry.directorySize ?? entry.size)
            records += [0, 0, 0, 0, 0, 0] + Self.number(entry.attributes) + Self.number(offset) + name
        }
        if !isListed { records = [] }
        let count = count ?? UInt16(isListed ? entries.count : 0)
        let start = UInt32(bytes.count)
        bytes += records + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + Self.number(count) + Self.number(count)
        return bytes + Self.number(UInt32(records.count)) + Self.number(start) + [0, 0]
    }

    private static func number(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
