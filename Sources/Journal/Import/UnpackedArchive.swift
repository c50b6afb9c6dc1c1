import Archives
import Foundation
import Kernel

/// An archive in a private folder, which goes with this value's end. Its names, sizes and links were checked before anything was written.
struct UnpackedArchive: Sendable {
    /// Files with all their media: many gigabytes are usual, and bounds keep what is hostile from filling the disk unseen.
    private static let limits = ArchiveLimits(entries: 500_000, totalBytes: 256 << 30, ratio: 1100)
    private static let piece = 1 << 18

    let folder: URL

    /// - Parameters:
    ///   - path: A zip, or a tar such as a JEX, by how it begins.
    ///   - parent: Where the folder is made.
    /// - Throws: `ArchiveError`, ``JournalError``; nothing is left then. Waits for the disk.
    init(_ path: String, in parent: URL) throws {
        folder = parent.appending(path: "import-\(UUID.randomText())", directoryHint: .isDirectory)
        guard let handle = FileHandle(forReadingAtPath: path),
            let start = try? handle.read(upToCount: 512), (try? handle.seek(toOffset: 0)) != nil
        else { throw JournalError.unreadable(path: path) }
        guard let format = Self.format(Array(start)) else { throw JournalError.unknownFormat(path: path) }
        try NewFile.makeFolder(folder)
        do {
            let reader = try ArchiveReader(format, limits: Self.limits) {
                do { return Array(try handle.read(upToCount: Self.piece) ?? Data()) } catch {
                    throw JournalError.unreadable(path: path)
                }
            }
            while let entry = try reader.next() { try write(entry, reader) }
        } catch {
            remove()
            throw error
        }
    }

    /// Nil for a file that is neither.
    static func format(_ start: [UInt8]) -> ArchiveFormat? {
        if start.starts(with: [0x50, 0x4B, 0x03, 0x04]) || start.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            return .zip
        }
        // The mark of POSIX and of GNU archives.
        return start.count == 512 && start[257..<262].elementsEqual("ustar".utf8) ? .tar : nil
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)  // what stays goes at the next start
    }

    private func write(_ entry: ArchiveEntry, _ reader: ArchiveReader) throws {
        let target = folder.appending(path: entry.name.text)
        guard !entry.isFolder else { return try NewFile.makeFolder(target) }
        try NewFile.makeFolder(target.deletingLastPathComponent())
        let handle = try NewFile.open(target)
        while let piece = try reader.readPiece() {
            do { try handle.write(contentsOf: piece) } catch { throw JournalError.notWritten(path: target.path) }
        }
        try handle.close()
    }
}
