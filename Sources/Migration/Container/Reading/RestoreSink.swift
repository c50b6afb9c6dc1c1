public import Kernel

/// Takes what a package holds, in the package's order. Everything is proved to be unchanged when it comes, but the package is known to be whole
/// only when ``PackageReader/read(from:)`` returns: until then nothing may take effect. The calls come from one thread and may block; what they
/// throw ends the reading.
public protocol RestoreSink: AnyObject {
    /// Takes the list of contents, before anything else.
    func begin(_ manifest: Manifest) throws

    /// Takes the key of the media.
    func take(masterKey: [UInt8]) throws

    /// Takes a record: settings, then categories, stories, media and relations.
    func take(_ record: JSONValue, of entity: MigrationEntity) throws

    /// Takes a record as its text, a JSON object of which only the brackets were looked at. A sink that needs no value saves its making, and then
    /// checks the text itself.
    ///
    /// - Throws: ``ContainerError/malformedRecords(_:)`` for a text that is no JSON.
    func take(recordText: [UInt8], of entity: MigrationEntity) throws

    /// Begins a file.
    ///
    /// - Parameter path: Below the folder of media, as `Images/2026/01/x.heic`; safe to join to a folder.
    func beginFile(_ path: String, size: UInt64) throws

    /// Begins a file as ``beginFile(_:size:)`` does.
    ///
    /// - Parameter place: Where the file stands in the archive; nil where the archive has it in another form.
    func beginFile(_ path: String, size: UInt64, at place: FilePlace?) throws

    /// What the sink has of the archive from an earlier reading; nil for nothing. Asked for before anything is read, and used by
    /// ``PackageReader/read(passingKnown:at:)`` alone.
    var known: (any KnownArchive)? { get }

    /// Takes the file's next bytes, at most 256 KiB.
    func take(fileBytes: [UInt8]) throws

    /// Ends the file, which has all its bytes and, where the package lists them, the listed checksum.
    func endFile() throws

    /// Begins a file of a section. Sections come in the order of the manifest, behind the records and before the files of media.
    ///
    /// - Parameter path: Below the section; safe to join to a folder.
    func beginSectionFile(_ path: String, of section: ManifestSection, size: UInt64) throws

    /// Takes the file's next bytes, at most 256 KiB.
    func take(sectionBytes: [UInt8]) throws

    func endSectionFile() throws

    /// Ends the section, which has all its files, unchanged.
    func endSection(_ section: ManifestSection) throws
}

/// A sink that takes records and media only passes sections over, and one that keeps nothing has no use for places.
extension RestoreSink {
    public func take(recordText: [UInt8], of entity: MigrationEntity) throws {
        guard let record = try? JSONValue(parsing: recordText) else {
            throw ContainerError.malformedRecords(entity.path)
        }
        try take(record, of: entity)
    }

    public func beginFile(_ path: String, size: UInt64, at place: FilePlace?) throws {
        try beginFile(path, size: size)
    }

    public var known: (any KnownArchive)? { nil }

    public func beginSectionFile(_ path: String, of section: ManifestSection, size: UInt64) throws {}
    public func take(sectionBytes: [UInt8]) throws {}
    public func endSectionFile() throws {}
    public func endSection(_ section: ManifestSection) throws {}
}
