import Archives

/// An archive in memory, read in pieces of a few bytes or of many.
enum ArchiveBytes {
    struct Unpacked: Equatable {
        let name: String
        let size: UInt64?
        var body: [UInt8]
    }

    static func source(_ bytes: [UInt8], step: Int) -> () throws -> [UInt8] {
        var place = 0
        return {
            let end = min(bytes.count, place + step)
            defer { place = end }
            return Array(bytes[place..<end])
        }
    }

    static func read(
        _ format: ArchiveFormat,
        _ bytes: [UInt8],
        limits: ArchiveLimits = .records,
        step: Int = 4096
    ) throws -> [Unpacked] {
        let reader = try ArchiveReader(format, limits: limits, reading: source(bytes, step: step))
        var entries: [Unpacked] = []
        while let entry = try reader.next() {
            var unpacked = Unpacked(name: entry.name.text + (entry.isFolder ? "/" : ""), size: entry.size, body: [])
            while let piece = try reader.readPiece() { unpacked.body += piece }
            entries.append(unpacked)
        }
        return entries
    }

    /// The error that reading ends with; nil for an archive that is whole.
    static func failure(
        _ format: ArchiveFormat,
        _ bytes: [UInt8],
        limits: ArchiveLimits = .records
    ) -> ArchiveError? {
        do {
            _ = try read(format, bytes, limits: limits)
            return nil
        } catch {
            return error as? ArchiveError
        }
    }
}
