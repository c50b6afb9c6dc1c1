import Archives

extension FuzzTarget {
    /// Anything as an archive, in pieces of any size: what comes out of it has safe names and stays within the limits, and is the same however
    /// the archive is cut.
    static let archiveReader = FuzzTarget(name: "archive-reader") { bytes in
        guard bytes.count > 2 else { return }
        let format: ArchiveFormat = bytes[0] & 1 == 0 ? .zip : .tar
        let archive = Array(bytes[2...])
        let whole = entries(format, archive, step: max(1, archive.count))
        guard whole == entries(format, archive, step: Int(bytes[1]) + 1) else {
            finding("cutting the archive changes what it holds")
        }
        for entry in whole ?? [] {
            let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
            guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !entry.name.utf8.contains(0) else {
                finding("an unsafe name")
            }
        }
        let size = (whole ?? []).reduce(0) { $0 + $1.size }
        guard size <= limits.totalBytes, whole?.count ?? 0 <= limits.entries else { finding("more than the limits") }
    }

    private static let limits = ArchiveLimits(entries: 100, totalBytes: 16 << 20, ratio: 200)

    private struct FuzzedEntry: Equatable {
        let name: String
        var size: UInt64 = 0
        var checksum = CRC32()

        static func == (one: FuzzedEntry, other: FuzzedEntry) -> Bool {
            one.name == other.name && one.size == other.size && one.checksum.value == other.checksum.value
        }
    }

    /// Nil for an archive that is refused.
    private static func entries(_ format: ArchiveFormat, _ archive: [UInt8], step: Int) -> [FuzzedEntry]? {
        var rest = archive[...]
        var entries: [FuzzedEntry] = []
        do {
            let reader = try ArchiveReader(format, limits: limits) {
                defer { rest = rest.dropFirst(step) }
                return Array(rest.prefix(step))
            }
            while let entry = try reader.next() {
                var fuzzed = FuzzedEntry(name: entry.name.text)
                while let piece = try reader.readPiece() {
                    fuzzed.size += UInt64(piece.count)
                    fuzzed.checksum.update(piece)
                }
                if let size = entry.size, size != fuzzed.size { finding("another size than was declared") }
                entries.append(fuzzed)
            }
        } catch {
            return nil
        }
        return entries
    }
}
