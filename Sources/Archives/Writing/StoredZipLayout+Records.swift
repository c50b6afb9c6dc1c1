extension StoredZipLayout {
    /// Version 4.5 of the format, the first with zip64.
    private static let zip64Version: UInt16 = 45
    private static let plainVersion: UInt16 = 20
    /// Names are UTF-8.
    private static let flags: UInt16 = 1 << 11
    /// 1980-01-01, 00:00.
    private static let date: UInt16 = 1 << 5 | 1
    /// Made by Unix, whose file modes the external attributes hold.
    private static let unix: UInt16 = 3 << 8
    private static let marker = UInt64(UInt32.max)

    private static func name(_ entry: StoredEntry) -> [UInt8] {
        Array(entry.name.text.utf8) + (entry.name.isFolder ? [UInt8(ascii: "/")] : [])
    }

    /// What the local header and the directory's record have in common: from the version that is needed up to the name's length.
    private static func common(_ entry: StoredEntry, isLarge: Bool) -> [UInt8] {
        let size = entry.size >= marker ? UInt32.max : UInt32(entry.size)
        var bytes = littleEndian(isLarge ? zip64Version : plainVersion)
        bytes += littleEndian(flags) + littleEndian(UInt16(0)) + littleEndian(UInt16(0)) + littleEndian(date)
        bytes += littleEndian(entry.crc32) + littleEndian(size) + littleEndian(size)
        return bytes + littleEndian(UInt16(name(entry).count))
    }

    static func localHeader(_ entry: StoredEntry) -> [UInt8] {
        let isLarge = entry.size >= marker
        let extra = isLarge ? extraField([entry.size, entry.size]) : []
        return littleEndian(UInt32(0x0403_4B50)) + common(entry, isLarge: isLarge)
            + littleEndian(UInt16(extra.count)) + name(entry) + extra
    }

    static func record(_ entry: StoredEntry, at offset: UInt64) -> [UInt8] {
        var large: [UInt64] = entry.size >= marker ? [entry.size, entry.size] : []
        if offset >= marker { large.append(offset) }
        let extra = extraField(large)
        let mode: UInt32 = entry.name.isFolder ? 0o040755 << 16 | 0x10 : 0o100644 << 16
        var bytes = littleEndian(UInt32(0x0201_4B50)) + littleEndian(unix | zip64Version)
        bytes += common(entry, isLarge: !large.isEmpty)
        bytes += littleEndian(UInt16(extra.count))
        // No comment, first disk, no internal attributes.
        bytes += [UInt8](repeating: 0, count: 6)
        bytes += littleEndian(mode) + littleEndian(offset >= marker ? UInt32.max : UInt32(offset))
        return bytes + name(entry) + extra
    }

    /// The end of the directory, with zip64's in front where a number does not fit.
    static func tail(count: UInt64, start: UInt64, end: UInt64) -> [UInt8] {
        let size = end - start
        var bytes: [UInt8] = []
        if count >= UInt64(UInt16.max) || start >= marker || size >= marker {
            bytes += littleEndian(UInt32(0x0606_4B50)) + littleEndian(UInt64(44))
            bytes += littleEndian(unix | zip64Version) + littleEndian(zip64Version)
            bytes += littleEndian(UInt32(0)) + littleEndian(UInt32(0))
            bytes += littleEndian(count) + littleEndian(count) + littleEndian(size) + littleEndian(start)
            bytes += littleEndian(UInt32(0x0706_4B50)) + littleEndian(UInt32(0))
            bytes += littleEndian(end) + littleEndian(UInt32(1))
        }
        let shortCount = UInt16(min(count, UInt64(UInt16.max)))
        bytes += littleEndian(UInt32(0x0605_4B50)) + littleEndian(UInt32(0))
        bytes += littleEndian(shortCount) + littleEndian(shortCount)
        bytes += littleEndian(UInt32(min(size, marker))) + littleEndian(UInt32(min(start, marker)))
        return bytes + littleEndian(UInt16(0))
    }

    private static func extraField(_ numbers: [UInt64]) -> [UInt8] {
        guard !numbers.isEmpty else { return [] }
        return littleEndian(UInt16(1)) + littleEndian(UInt16(numbers.count * 8)) + numbers.flatMap { littleEndian($0) }
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
