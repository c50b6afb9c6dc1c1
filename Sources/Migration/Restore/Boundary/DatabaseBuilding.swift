package import Foundation
package import Generations

/// Builds the database of a generation from the records of a package, and tries its media. The journal's store does it; this module knows of a
/// database only that it is one file. Calls block.
package protocol DatabaseBuilding: Sendable {
    /// Builds `request.database` in one transaction: settings, categories in two passes, stories, media, relations. It checks what the records
    /// say of each other, has the database checked by itself, and closes it so that nothing lies beside it. It may be called again after it was
    /// cut short; the file is removed before.
    ///
    /// - Throws: What is wrong with the records, in a sentence for the person.
    func build(_ request: DatabaseRequest) throws -> DatabaseOutcome

    /// Opens a part of each medium with the key, to prove that it fits.
    ///
    /// - Throws: What does not open.
    func probe(_ request: DatabaseRequest, key: MasterKey) throws
}

/// What a database is built from.
package struct DatabaseRequest: Sendable {
    /// The disk of the paths below.
    package let files: any FileSystemPort
    package let schemaVersion: Int
    /// JSON arrays, each as it came; all kinds are there.
    package let records: [RecordKind: StorePath]
    package let database: StorePath
    /// The folder of media, and the paths of the files that came, below it.
    package let media: StorePath
    package let mediaFiles: Set<String>

    package func url(of path: StorePath) -> URL { files.url(of: path) }
}

/// What a database holds after it was built.
package struct DatabaseOutcome: Hashable, Sendable {
    package var counts: [RecordKind: Int]
    /// Records whose file did not come.
    package var broken: [BrokenMediumReport]
    /// Files that no record names, by their paths below the folder of media.
    package var orphans: [String]
    package var findings: [String]

    package init(
        counts: [RecordKind: Int],
        broken: [BrokenMediumReport] = [],
        orphans: [String] = [],
        findings: [String] = []
    ) {
        self.counts = counts
        self.broken = broken
        self.orphans = orphans
        self.findings = findings
    }
}
