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
    }

    private let snapshot: DatabaseSnapshot
    private let vault: MediaVault

    package convenience init(_ repository: JournalRepository) throws {
        try self.init(repository.store, repository.vault)
    }

    /// - Parameter store: May be closed afterwards.
    package init(_ store: JournalStore, _ vault: MediaVault) throws {
        snapshot = try store.snapshot()
        self.vault = vault
    }

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

    /// Every model of a kind as the database has it, device-bound settings left out.
    func forEachModel(_ kind: RecordKind, _ body: (any JournalRecord) throws -> Void) throws {
        try snapshot.read { database in
            try JournalReading(database).forEach(kind) { record in
                if let setting = record as? JournalSetting, setting.isDeviceBound { return }
                try body(record)
            }
        }
    }

    /// The files of all media, and the media whose file cannot be copied. A file that several records name is there once.
    package func files() throws -> (files: [File], broken: [BrokenMedium]) {
        var files: [MediaPath: File] = [:]
        var broken: [BrokenMedium] = []
        try snapshot.read { database in
            try JournalReading(database).forEach(.media) { record in
                guard let medium = record as? Medium else { return }
                let parts = [
                    (medium.path, medium.fileName, medium.fileSize, medium.sha256),
                    (
                        medium.thumbnailPath, medium.thumbnailFileName ?? "", medium.thumbnailSize ?? 0,
                        medium.thumbnailSHA256
                    ),
                ]
                for (index, (path, name, size, sum)) in parts.enumerated() {
                    guard let path else {
                        if index == 0 { broken.append(BrokenMedium(medium, name, medium.broken ?? .fileNotFound)) }
                        continue
                    }
                    switch (vault.size(of: path), size) {
                    case (nil, _): broken.append(BrokenMedium(medium, name, .fileNotFound))
                    case (0, _): broken.append(BrokenMedium(medium, name, .empty))
                    case (let found?, 1...) where found != size:
                        broken.append(BrokenMedium(medium, name, .sizeMismatch))
                    case (let found?, _): files[path] = File(path: path, size: found, sha256: sum)
                    }
                }
            }
        }
        return (files.values.sorted { $0.path.text < $1.path.text }, broken)
    }

    /// Where a file is on this machine.
    package func url(of file: File) -> URL { vault.url(file.path) }

    /// The bytes from which the keys of all media follow.
    package var masterKey: [UInt8] { vault.keys.masterBytes }
}
