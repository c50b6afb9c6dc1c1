import Generations
import Journal
import MigrationContainer
import MigrationJournal

/// A phone's data as the source of a package: its journal as it is at one moment, and the sections of everything else. Every call blocks.
final class PhoneBackupSource: BackupSource {
    private let store: JournalStore
    private let journal: JournalBackup
    private let files: SectionFiles?

    /// - Parameters:
    ///   - generations: The phone's; the current one is opened beside the journal's own connections, which end when the phone rests.
    ///   - files: Nil for a package of the journal alone.
    ///   - trustsSums: Whether media have the sums of the day on which they were saved; else each is read for them.
    /// - Throws: `GenerationsError`, `JournalError`, `StateDatabaseError`.
    init(_ generations: GenerationStore, sections files: SectionFiles?, trustsSums: Bool) throws {
        guard let current = try generations.current() else { throw MigrationClientError.notMovable }
        let vault = MediaVault(
            generations.url(of: current.media),
            keys: try MediaKeys(master: generations.masterKey(of: current).bytes)
        )
        store = try JournalStore(generation: generations.url(of: current.folder))
        journal = JournalBackup(try JournalSnapshot(store, vault), trustsSums: trustsSums)
        self.files = files
    }

    func readRecords(of entity: MigrationEntity, after key: String?, _ take: (BackupRecord) throws -> Bool) throws {
        try journal.readRecords(of: entity, after: key, take)
    }

    func readMedia(_ take: (BackupMedium) throws -> Void) throws { try journal.readMedia(take) }

    func open(_ medium: BackupMedium) throws -> any BackupFile { try journal.open(medium) }

    func masterKey() throws -> [UInt8] { try journal.masterKey() }

    func sections() throws -> [BackupSection] { files?.sections ?? [] }

    func open(_ path: String, of section: BackupSection) throws -> any BackupFile {
        guard let files else { throw BackupFileError.notFound }
        return try files.open(path, of: section)
    }
}
