/// Numbers and texts of a zip archive's headers, in order. Numbers are little-endian.
struct ZipFields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// - Throws: ``ArchiveError/truncated``.
    mutating func bytes(_ count: Int) throws(ArchiveError) -> [UInt8] {
        guard rest.count >= count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// - Throws: ``ArchiveError/truncated``.
    mutating func number(_ count: Int) throws(ArchiveError) -> UInt64 {
        try bytes(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// - Throws: ``ArchiveError/truncated``.
    mutating func skip(_ count: Int) throws(ArchiveError) { _ = try bytes(count) }

    /// The numbers of zip64 among an entry's extra fields.
    ///
    /// - Throws: ``ArchiveError/damaged`` for a field that is longer than what is left.
    static func zip64(in extra: [UInt8]) throws(ArchiveError) -> ZipFields? {
        var rest = extra[...]
        // What is shorter than a field's head is padding of some programs.
        while rest.count >= 4 {
            let place = rest.startIndex
            let count = Int(rest[place + 2]) | Int(rest[place + 3]) << 8
            guard rest.count >= 4 + count else { throw .damaged }
            let content = rest.dropFirst(4).prefix(count)
            if rest[place] == 1, rest[place + 1] == 0 { return ZipFields(content) }
            rest = rest.dropFirst(4 + count)
        }
        return nil
    }
}
