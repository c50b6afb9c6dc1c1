import Foundation
import Kernel
import MigrationContainer

/// Keeps what a package holds.
final class CollectingSink: RestoreSink {
    private(set) var manifest: Manifest?
    private(set) var masterKey: [UInt8]?
    private(set) var records: [MigrationEntity: [JSONValue]] = [:]
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var endedFiles = 0
    private var current = ""

    func begin(_ manifest: Manifest) { self.manifest = manifest }
    func take(masterKey: [UInt8]) { self.masterKey = masterKey }
    func take(_ record: JSONValue, of entity: MigrationEntity) { records[entity, default: []].append(record) }

    func beginFile(_ path: String, size: UInt64) {
        current = path
        files[path] = []
    }

    func take(fileBytes: [UInt8]) { files[current]?.append(contentsOf: fileBytes) }
    func endFile() { endedFiles += 1 }
}
