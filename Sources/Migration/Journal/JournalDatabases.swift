package import Generations
import Journal
package import MigrationRestore

/// Databases of the journal, for a restore.
package struct JournalDatabases: DatabaseBuilding {
    package init() {}

    package func begin(_ generation: Generation, files: any FileSystemPort) throws -> any DatabaseBuild {
        try JournalDatabase(generation, files: files)
    }

    package func probe(
        _ generation: Generation,
        files: any FileSystemPort,
        key: MasterKey
    ) throws -> MediaProbe {
        let vault = MediaVault(files.url(of: generation.media), keys: try MediaKeys(master: key.bytes))
        let proof = try MediaProof(of: files.url(of: generation.folder), vault)
        return MediaProbe(opened: proof.opened, failed: proof.damagedCount)
    }
}
