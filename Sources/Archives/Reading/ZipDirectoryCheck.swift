/// Compares a zip archive's directory with the entries that were read. Reading in order believes the entries' own headers, other programs
/// believe the directory: an archive in which they differ shows each another content.
///
/// Each side is a sum of keyed hashes, so that the order does not matter and a million entries take no memory. `Hasher` draws its key when the
/// program starts, so nobody can prepare two lists with one sum.
struct ZipDirectoryCheck {
    private static let record: UInt64 = 0x0201_4B50
    private static let end: UInt64 = 0x0605_4B50
    private static let largeEnd: UInt64 = 0x0606_4B50
    private static let largeLocator: UInt64 = 0x0706_4B50

    private var count: UInt64 = 0
    private var sum = 0

    /// - Parameters:
    ///   - checksum: Of the body, for an entry whose header does not know it.
    ///   - size: Bytes of the unpacked body.
    mutating func add(_ local: ZipLocalHeader, checksum: UInt32, size: UInt64) {
        count += 1
        sum &+= Self.hash(
            name: local.name,
            // The meaning of the name is bit 11; programs differ in the others between the two places.
            flags: local.flags & 0x0809,
            method: local.method,
            crc32: local.hasDescriptor ? checksum : local.crc32,
            packedSize: local.hasDescriptor ? 0 : local.packedSize,
            size: size,
            offset: local.offset
        )
    }

    /// Reads the directory to the end of the archive.
    ///
    /// - Parameter start: Where it begins.
    /// - Throws: ``ArchiveError/directoryMismatch``, ``ArchiveError/truncated``, ``ArchiveError/unsupportedEntry(_:)`` for a link or a
    ///   device, ``ArchiveError/trailingData``, and what the source throws.
    func check(_ feed: ArchiveFeed, at start: UInt64) throws {
        var bytes = ZipDirectoryBytes(feed, at: start)
        var found: (count: UInt64, sum: Int) = (0, 0)
        var signature = try bytes.number(4)
        while signature == Self.record {
            found.count += 1
            guard found.count <= count else { throw ArchiveError.directoryMismatch }
            found.sum &+= try Self.record(&bytes)
            signature = try bytes.number(4)
        }
        let size = bytes.offset - 4 - start
        guard found.count == count, found.sum == sum else { throw ArchiveError.directoryMismatch }
        var isLarge = false
        if signature == Self.largeEnd {
            isLarge = true
            try largeEnd(&bytes, start: start, size: size)
            signature = try bytes.number(4)
        }
        guard signature == Self.end else { throw ArchiveError.damaged }
        try end(&bytes, start: start, size: size, isLarge: isLarge)
        guard try bytes.isAtEnd() else { throw ArchiveError.trailingData }
    }

    private func largeEnd(_ bytes: inout ZipDirectoryBytes, start: UInt64, size: UInt64) throws {
        let place = bytes.offset - 4
        let length = try bytes.number(8)
        // The fixed fields; what may follow is for encryption and other programs.
        guard length >= 44, length <= 1 << 16 else { throw ArchiveError.damaged }
        try bytes.skip(12)
        guard try bytes.number(8) == count, try bytes.number(8) == count, try bytes.number(8) == size,
            try bytes.number(8) == start
        else { throw ArchiveError.directoryMismatch }
        try bytes.skip(Int(length) - 44)
        guard try bytes.number(4) == Self.largeLocator else { throw ArchiveError.damaged }
        try bytes.skip(4)
        guard try bytes.number(8) == place else { throw ArchiveError.directoryMismatch }
        try bytes.skip(4)
    }

    private func end(_ bytes: inout ZipDirectoryBytes, start: UInt64, size: UInt64, isLarge: Bool) throws {
        try bytes.skip(4)
        func isSame(_ short: UInt64, _ real: UInt64, _ marker: UInt64) -> Bool {
            short == real || (isLarge && short == marker)
        }
        let counts = (try bytes.number(2), try bytes.number(2))
        guard isSame(counts.0, count, 0xFFFF), isSame(counts.1, count, 0xFFFF),
            isSame(try bytes.number(4), size, 0xFFFF_FFFF), isSame(try bytes.number(4), start, 0xFFFF_FFFF)
        else { throw ArchiveError.directoryMismatch }
        try bytes.skip(Int(try bytes.number(2)))
    }

    /// The hash of the record behind a signature.
    private static func record(_ bytes: inout ZipDirectoryBytes) throws -> Int {
        let madeBy = try bytes.number(2)
        try bytes.skip(2)
        let flags = UInt16(try bytes.number(2))
        let method = UInt16(try bytes.number(2))
        try bytes.skip(4)
        let crc32 = UInt32(try bytes.number(4))
        var packedSize = try bytes.number(4)
        var size = try bytes.number(4)
        let nameCount = Int(try bytes.number(2))
        let extraCount = Int(try bytes.number(2))
        let commentCount = Int(try bytes.number(2))
        try bytes.skip(4)
        let attributes = try bytes.number(4)
        var offset = try bytes.number(4)
        let name = try bytes.bytes(nameCount)
        var large = try ZipFields.zip64(in: try bytes.bytes(extraCount))
        try bytes.skip(commentCount)
        if size == 0xFFFF_FFFF { size = try large?.number(8) ?? size }
        if packedSize == 0xFFFF_FFFF { packedSize = try large?.number(8) ?? packedSize }
        if offset == 0xFFFF_FFFF { offset = try large?.number(8) ?? offset }
        // Programs of Unix and macOS put the file's mode into the upper half: anything but a file, a folder or nothing is refused.
        if madeBy >> 8 == 3 || madeBy >> 8 == 19 {
            let type = attributes >> 16 & 0o170000
            guard type == 0 || type == 0o100000 || type == 0o040000 else {
                throw ArchiveError.unsupportedEntry(String(decoding: name, as: UTF8.self))
            }
        }
        return hash(
            name: name,
            flags: flags & 0x0809,
            method: method,
            crc32: crc32,
            packedSize: flags & 8 != 0 ? 0 : packedSize,
            size: size,
            offset: offset
        )
    }

    private static func hash(
        name: [UInt8],
        flags: UInt16,
        method: UInt16,
        crc32: UInt32,
        packedSize: UInt64,
        size: UInt64,
        offset: UInt64
    ) -> Int {
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(flags)
        hasher.combine(method)
        hasher.combine(crc32)
        hasher.combine(packedSize)
        hasher.combine(size)
        hasher.combine(offset)
        return hasher.finalize()
    }
}
