/// What stands in front of an entry of a zip archive. Source: PKWARE's APPNOTE.TXT 6.3.10, 4.3.7.
struct ZipLocalHeader {
    private static let signature: UInt64 = 0x0403_4B50
    /// Bytes in front of the name.
    private static let fixedCount = 30
    private static let descriptorSignature: UInt64 = 0x0807_4B50

    let flags: UInt16
    let method: UInt16
    let crc32: UInt32
    /// Where it begins in the archive.
    let offset: UInt64
    let packedSize: UInt64
    let size: UInt64
    let name: [UInt8]
    /// Where the body begins in the archive.
    let bodyOffset: UInt64

    /// - Parameters:
    ///   - bytes: The archive from `start` on.
    ///   - previous: The entry before, whose descriptor may stand in front.
    /// - Throws: ``ArchiveError/damaged`` where no header stands exactly there.
    init(_ bytes: [UInt8], previous: ZipLocalHeader?, at start: UInt64) throws(ArchiveError) {
        let skipped = Self.descriptorCount(bytes, previous)
        var fields = ZipFields(bytes.dropFirst(skipped))
        guard try fields.number(4) == Self.signature else { throw .damaged }
        try fields.skip(2)
        flags = UInt16(try fields.number(2))
        method = UInt16(try fields.number(2))
        try fields.skip(4)
        crc32 = UInt32(try fields.number(4))
        var packedSize = try fields.number(4)
        var size = try fields.number(4)
        let nameCount = Int(try fields.number(2))
        let extraCount = Int(try fields.number(2))
        name = try fields.bytes(nameCount)
        var large = try ZipFields.zip64(in: try fields.bytes(extraCount))
        if size == UInt64(UInt32.max) { size = try large?.number(8) ?? size }
        if packedSize == UInt64(UInt32.max) { packedSize = try large?.number(8) ?? packedSize }
        self.size = size
        self.packedSize = packedSize
        offset = start + UInt64(skipped)
        bodyOffset = offset + UInt64(Self.fixedCount + nameCount + extraCount)
    }

    var isEncrypted: Bool { flags & 0x2041 != 0 }
    /// Whether the sizes and the checksum stand behind the body.
    var hasDescriptor: Bool { flags & 8 != 0 }
    /// Stored or deflated. Other methods of the library take as much memory as the archive asks for.
    var isReadable: Bool { method == 0 || method == 8 }

    /// Bytes of the previous entry's descriptor in front of `bytes`, which the library leaves there for folders: 0, 16, or 24 with zip64.
    static func descriptorCount(_ bytes: [UInt8], _ previous: ZipLocalHeader?) -> Int {
        guard previous?.hasDescriptor == true else { return 0 }
        var fields = ZipFields(bytes[...])
        guard (try? fields.number(4)) == descriptorSignature else { return 0 }
        let isHeader = { (place: Int) in
            bytes.dropFirst(place).starts(with: [0x50, 0x4B, 3, 4])
                || bytes.dropFirst(place).starts(with: [0x50, 0x4B, 1, 2])
        }
        return isHeader(16) ? 16 : isHeader(24) ? 24 : 0
    }
}
