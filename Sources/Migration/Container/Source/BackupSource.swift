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
}
