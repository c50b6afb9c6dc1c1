import Foundation
import Generations
import Journal
import Kernel
import MigrationContainer

/// A phone's data as the source of a package: its journal as it is at one moment, and the sections of everything else. Every call blocks.
final class PhoneBackupSource: BackupSource {
    private let store: JournalStore
    private let snapshot: JournalSnapshot
    private let vault: MediaVault
    private let files: SectionFiles?

    /// - Parameters:
    ///   - generations: The phone's; the current one is opened beside the journal's own connections, which end when the phone rests.
    ///   - files: Nil for a package of the journal alone.
    /// - Throws: `GenerationsError`, `JournalError`, `StateDatabaseError`.
    init(_ generations: GenerationStore, sections files: SectionFiles?) throws {
        guard let current = try generations.current() else { throw MigrationClientError.notMovable }
        vault = MediaVault(
            generations.url(of: current.media),
            keys: try MediaKeys(master: generations.masterKey(of: current).bytes)
        )
        store = try JournalStore(generation: generations.url(of: current.folder))
        snapshot = try JournalSnapshot(store, vault)
        self.files = files
    }

    func readRecords(of entity: MigrationEntity, after key: String?, _ take: (BackupRecord) throws -> Bool) throws {
        guard let kind = RecordKind(rawValue: entity.rawValue) else { return }
        try snapshot.read(kind, after: key) { key, record in try take(BackupRecord(key: key, value: record)) }
    }

    /// The files that records name, also those that are not there: the package says which are broken. Then those that no record names.
    func readMedia(_ take: (BackupMedium) throws -> Void) throws {
        var seen: Set<String> = []
        try snapshot.forEach(.media) { record in
            for medium in Self.media(of: record) where seen.insert(medium.path).inserted { try take(medium) }
        }
        for path in try vault.paths().map(\.text).sorted() where !seen.contains(path) {
            try take(BackupMedium(path: path, mediaID: nil, size: nil, digest: nil))
        }
    }

    private static func media(of record: JSONValue) -> [BackupMedium] {
        guard let id = record["id"]?.stringValue else { return [] }
        func medium(_ path: String?, _ size: JSONValue?) -> BackupMedium? {
            guard let path, MediaPath(path) != nil else { return nil }
            var bytes: UInt64?
            if case .integer(let number)? = size, number > 0 { bytes = UInt64(number) }
            return BackupMedium(path: path, mediaID: id, size: bytes, digest: nil)
        }
        // A record whose place is not known has no file here; under its name it is told as one that was not found.
        let lost = record["fileName"]?.stringValue.map { "Lost/\($0)" }
        let path = record["relativePath"]?.stringValue ?? lost
        return [
            medium(path, record["fileSize"]),
            medium(record["thumbnailRelativePath"]?.stringValue, record["thumbnailFileSize"]),
        ].compactMap(\.self)
    }

    func open(_ medium: BackupMedium) throws -> any BackupFile {
        try SystemBackupFile(path: vault.folder.appending(path: medium.path).path)
    }

    func masterKey() throws -> [UInt8] { snapshot.masterKey }

    func sections() throws -> [BackupSection] { files?.sections ?? [] }

    func open(_ path: String, of section: BackupSection) throws -> any BackupFile {
        guard let files else { throw BackupFileError.notFound }
        return try files.open(path, of: section)
    }

    /// Ends the connection to the journal; the frozen reading stays.
    func close() throws { try store.close() }
}
