import Crypto
package import Foundation
import Kernel

/// The folder `Media` of a generation, and the key of what is in it. Everything here waits for a disk.
package struct MediaVault: Sendable {
    /// Bytes that are read from a file at a time.
    private static let piece = 1 << 18

    package let folder: URL
    let keys: MediaKeys

    package init(_ folder: URL, keys: MediaKeys) {
        self.folder = folder
        self.keys = keys
    }

    func url(_ path: MediaPath) -> URL { folder.appending(path: path.text) }

    /// The place of a new file. The month is that of the moment in UTC, and is kept in the record: no reader works it out again.
    ///
    /// - Parameter date: Milliseconds since 1970.
    static func path(_ kind: MediumKind, _ fileName: String, date: Int64) throws(JournalError) -> MediaPath {
        let day = CivilTime(milliseconds: date)
        let month = "\(CivilTime.digits(max(0, day.year), 4))/\(CivilTime.digits(day.month, 2))"
        guard let path = MediaPath("\(kind.folder)/\(month)/\(fileName)") else {
            throw .badRecord(.media, member: "fileName")
        }
        return path
    }

    /// Encrypts a file of the person's into the vault.
    ///
    /// - Throws: ``JournalError/unreadable(path:)``, ``JournalError/notWritten(path:)``.
    func save(_ source: URL, to path: MediaPath, keyId: String) throws -> StoredFile {
        guard let handle = FileHandle(forReadingAtPath: source.path) else {
            throw JournalError.unreadable(path: source.path)
        }
        return try save(to: path, keyId: keyId) { writer in
            while true {
                let bytes: Data?
                do { bytes = try handle.read(upToCount: Self.piece) } catch {
                    throw JournalError.unreadable(path: source.path)
                }
                guard let bytes, !bytes.isEmpty else { return }
                try writer.write(bytes)
            }
        }
    }

    func save(_ bytes: [UInt8], to path: MediaPath, keyId: String) throws -> StoredFile {
        try save(to: path, keyId: keyId) { try $0.write(bytes) }
    }

    private func save(
        to path: MediaPath,
        keyId: String,
        _ fill: (SealedMediaWriter) throws -> Void
    ) throws -> StoredFile {
        let url = url(path)
        try NewFile.makeFolder(url.deletingLastPathComponent())
        let writer = try SealedMediaWriter(to: url, key: keys.key(keyId))
        do {
            try fill(writer)
            return try writer.finish()
        } catch {
            remove(path)
            throw error
        }
    }

    /// Returns when files and their names are on the disk, which comes before any record names them. The files' bytes are on their way to the disk
    /// by then, and the folders are the same for most, so a hundred files wait little longer than one.
    ///
    /// - Throws: ``JournalError/notWritten(path:)``.
    func settle(_ paths: [MediaPath]) throws(JournalError) {
        var folders: Set<String> = []
        for path in paths {
            try NewFile.keepBytes(of: url(path))
            var parts = path.text.split(separator: "/").dropLast()
            while !parts.isEmpty {
                folders.insert(parts.joined(separator: "/"))
                parts = parts.dropLast()
            }
        }
        guard !paths.isEmpty else { return }
        for name in folders { try NewFile.keepNames(in: folder.appending(path: name)) }
        try NewFile.keepNames(in: folder)
    }

    /// Takes back a file that no record names.
    func remove(_ path: MediaPath) {
        try? FileManager.default.removeItem(at: url(path))  // one that stays is an orphan, which nothing reads
    }

    func reader(_ path: MediaPath, keyId: String) throws(JournalError) -> SealedMediaReader {
        try SealedMediaReader(url(path), key: keys.key(keyId))
    }

    /// Writes a medium as it was into a new file.
    ///
    /// - Throws: ``JournalError/notWritten(path:)``, and what reading throws; nothing is left then.
    func copy(_ path: MediaPath, keyId: String, to target: URL) throws {
        let reader = try reader(path, keyId: keyId)
        let handle = try NewFile.open(target)
        do {
            try reader.forEachSegment { bytes in
                do { try handle.write(contentsOf: bytes) } catch { throw JournalError.notWritten(path: target.path) }
            }
            try handle.close()
        } catch {
            try? FileManager.default.removeItem(at: target)  // the error below is the one to report
            throw error
        }
    }

    /// Bytes of the encrypted file; nil where there is none, or something that is no file.
    package func size(of path: MediaPath) -> Int64? { NewFile.size(of: url(path).path) }

    /// All files of the folder and their sizes in bytes, in no order. Links are passed over: nothing of ours makes them.
    package func files() -> [(path: MediaPath, size: Int64)] {
        let root = folder.standardizedFileURL.path + "/"
        guard let all = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var files: [(path: MediaPath, size: Int64)] = []
        for case let name as String in all {
            guard let path = MediaPath(name), let size = NewFile.size(of: root + name) else { continue }
            files.append((path, size))
        }
        return files
    }
}
