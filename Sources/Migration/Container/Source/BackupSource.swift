/// A frozen reading of everything that a backup takes: what it answers once, it answers as long as a package of it is sent. The calls block,
/// and are made from one thread at a time.
public protocol BackupSource: Sendable {
    /// Hands out the records of a table in an order that never changes, until `take` answers false.
    ///
    /// - Parameter key: Of the record behind which it begins; nil for the first.
    func readRecords(
        of entity: MigrationEntity,
        after key: String?,
        _ take: (BackupRecord) throws -> Bool
    ) throws

    /// Hands out the files, in any order; each path once.
    func readMedia(_ take: (BackupMedium) throws -> Void) throws

    /// - Throws: ``BackupFileError``.
    func open(_ medium: BackupMedium) throws -> any BackupFile

    /// The key of the media, at most 4096 bytes.
    func masterKey() throws -> [UInt8]

    /// The parts of the device's other data, in an order that never changes.
    func sections() throws -> [BackupSection]

    /// Opens a file of a section by its path below the section.
    ///
    /// - Throws: ``BackupFileError``, which ends the package: a section has no part that may be missing.
    func open(_ path: String, of section: BackupSection) throws -> any BackupFile
}

extension BackupSource {
    /// None: a source of records and media only.
    public func sections() throws -> [BackupSection] { [] }

    public func open(_ path: String, of section: BackupSection) throws -> any BackupFile {
        throw BackupFileError.notFound
    }
}
