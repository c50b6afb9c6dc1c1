package import Foundation
import GRDB
package import Kernel

/// Everything of a journal as it is at one moment, for a backup: later changes are not seen. Files of media are never changed and never
/// removed once a record names them, so nothing has to be copied to keep them. Everything here waits for a disk.
package final class JournalSnapshot: Sendable {
    /// A file of a medium, encrypted as it lies on the disk.
    package struct File: Hashable, Sendable {
        package var path: MediaPath
        /// Bytes.
        package var size: Int64
        /// Hexadecimal digits; nil where the file came from another program, and its sum is not known.
        package var sha256: String?
        /// Of the same bytes, as a zip has it; nil where it is not known.
        package var crc32: UInt32?
        /// The medium whose file or thumbnail it is.
        package var mediaId: String
    }

    private let snapshot: DatabaseSnapshot
    private let vault: MediaVault
    private let holds: MediaHolds

    /// - Throws: ``JournalError/resting``, what the database says.
    package convenience init(_ repository: JournalRepository) throws {
        try self.init(repository.store, repository.vault, holds: repository.holds)
    }

    /// Of a journal that nobody else has open, as that of a phone that rests.
    ///
    /// - Parameter store: May be closed afterwards.
    package convenience init(_ store: JournalStore, _ vault: MediaVault) throws {
        try self.init(store, vault, holds: MediaHolds())
    }

    private init(_ store: JournalStore, _ vault: MediaVault, holds: MediaHolds) throws {
        self.holds = holds
        self.vault = vault
        // Before the snapshot: a purge in between sees that its files may be read.
        holds.begin()
        do { snapshot = try store.snapshot() } catch {
            holds.end()
            throw error
        }
    }

    deinit { holds.end() }

    /// How many records ``forEach(_:_:)`` gives.
    package func counts() throws -> JournalCounts {
        try snapshot.read { database in
            let reading = JournalReading(database)
            var counts = try reading.counts()
            counts.settings = try reading.settings().count { !$0.isDeviceBound }
            return counts
        }
    }

    /// Each record of a kind, one at a time. Settings that belong to this device are left out.
    package func forEach(_ kind: RecordKind, _ body: (JSONValue) throws -> Void) throws {
        try forEachModel(kind) { try body($0.record) }
    }

    /// Like ``forEach(_:_:)``, from behind a record on and until `take` answers false: a sender makes any part of a package again.
    ///
    /// - Parameter key: The key of the last record that was taken; nil for all.
    package func read(
        _ kind: RecordKind,
        after key: String?,
        _ take: (_ key: String, _ record: JSONValue) throws -> Bool
    ) throws {
        try snapshot.read { database in
            try JournalReading(database).read(kind, after: key) { key, record in
                if let setting = record as? JournalSetting, setting.isDeviceBound { return true }
                return try take(key, record.record)
            }
        }
    }

    /// Like ``read(_:after:_:)``, with the canonical text of each record, which is made without a tree of values.
    package func readText(
        _ kind: RecordKind,
        after key: String?,
        _ take: (_ key: String, _ text: [UInt8]) throws -> Bool
    ) throws {
        try snapshot.read { database in
            try JournalReading(database).read(kind, after: key) { key, record in
                if let setting = record as? JournalSetting, setting.isDeviceBound { return true }
                var text: [UInt8] = []
                record.appendText(to: &text)
                return try take(key, text)
            }
        }
    }

    /// Every model of a kind as the database has it, device-bound settings left out.
    func forEachModel(_ kind: RecordKind, _ body: (any JournalRecord) throws -> Void) throws {
        try snapshot.read { database in
            try JournalReading(database).forEach(kind) { record in
                if let setting = record as? JournalSetting, setting.isDeviceBound { return }
                try body(record)
            }
        }
    }

    /// The files that records name, whether they are there or not, in the order of their paths. A file that several records name is there once. Its
    /// size is what the record says, 0 where that is not known.
    package func namedFiles() throws -> [File] {
        var files: [MediaPath: File] = [:]
        try forEachModel(.media) { record in
            guard let medium = record as? Medium else { return }
            if let path = medium.path {
                files[path] = File(
                    path: path,
                    size: medium.fileSize,
                    sha256: medium.sha256,
                    crc32: medium.crc32,
                    mediaId: medium.id
                )
            }
            if let path = medium.thumbnailPath {
                files[path] = File(
                    path: path,
                    size: medium.thumbnailSize ?? 0,
                    sha256: medium.thumbnailSHA256,
                    crc32: medium.thumbnailCRC32,
                    mediaId: medium.id
                )
            }
        }
        return files.values.sorted { $0.path.text < $1.path.text }
    }

    /// The files that no record names and that a purge did not leave behind, in the order of their paths.
    ///
    /// - Parameter named: What ``namedFiles()`` gave.
    package func unnamedFiles(_ named: Set<MediaPath>) throws -> [MediaPath] {
        let unused = try snapshot.read { try JournalReading($0).unusedPaths() }
        return vault.paths().filter { !named.contains($0) && !unused.contains($0) }.sorted { $0.text < $1.text }
    }

    /// The media whose record does not say where their file is, and the file's name.
    package func mediaWithoutPlace() throws -> [(id: String, name: String)] {
        var media: [(id: String, name: String)] = []
        try forEachModel(.media) { record in
            guard let medium = record as? Medium, medium.path == nil else { return }
            media.append((medium.id, medium.fileName))
        }
        return media
    }

    /// The files of all media that can be copied, and the media whose file cannot.
    package func files() throws -> (files: [File], broken: [BrokenMedium]) {
        var files: [File] = []
        var broken: [MediaPath: BrokenReason] = [:]
        for var file in try namedFiles() {
            switch vault.size(of: file.path) {
            case nil: broken[file.path] = .fileNotFound
            case 0?: broken[file.path] = .empty
            case let found? where file.size > 0 && found != file.size: broken[file.path] = .sizeMismatch
            case let found?:
                file.size = found
                files.append(file)
            }
        }
        var media: [BrokenMedium] = []
        try forEachModel(.media) { record in
            guard let medium = record as? Medium else { return }
            let reason = if let path = medium.path { broken[path] } else { medium.broken ?? .fileNotFound }
            if let reason { media.append(BrokenMedium(medium, medium.fileName, reason)) }
            if let path = medium.thumbnailPath, let reason = broken[path] {
                media.append(BrokenMedium(medium, medium.thumbnailFileName ?? "", reason))
            }
        }
        return (files, media)
    }

    /// Where a file is on this machine.
    package func url(of path: MediaPath) -> URL { vault.url(path) }

    /// The bytes from which the keys of all media follow.
    package var masterKey: [UInt8] { vault.keys.masterBytes }
}
