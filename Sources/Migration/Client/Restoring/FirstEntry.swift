import Kernel
import MigrationContainer

/// Takes a package's list of contents, which is the first entry, and ends the reading there.
final class FirstEntry: RestoreSink {
    private struct Enough: Error {}

    private var found: Manifest?

    /// - Parameter read: Reads the package into this.
    /// - Throws: `ContainerError.missingEntry` where it has none, and what `read` throws before it.
    func manifest(_ read: () throws -> PackageContents) throws -> Manifest {
        do {
            _ = try read()
        } catch is Enough {}
        guard let found else { throw ContainerError.missingEntry("manifest.json") }
        return found
    }

    func begin(_ manifest: Manifest) throws {
        found = manifest
        throw Enough()
    }

    func take(masterKey: [UInt8]) throws {}
    func take(_ record: JSONValue, of entity: MigrationEntity) throws {}
    func beginFile(_ path: String, size: UInt64) throws {}
    func take(fileBytes: [UInt8]) throws {}
    func endFile() throws {}
}
