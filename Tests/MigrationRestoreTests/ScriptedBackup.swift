import Kernel
import MigrationContainer

/// A scripted package's content as a source that a real package is made of.
struct ScriptedBackup: BackupSource {
    let package: ScriptedPackage

    private struct File: BackupFile {
        let bytes: [UInt8]

        func status() throws -> BackupFileStatus { BackupFileStatus(size: UInt64(bytes.count), modified: 1, inode: 1) }

        func read(at offset: UInt64, count: Int) throws -> [UInt8] {
            Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
    }

    func readRecords(
        of entity: MigrationEntity,
        after key: String?,
        _ take: (BackupRecord) throws -> Bool
    ) throws {
        let first = key.flatMap { Int($0) }.map { $0 + 1 } ?? 0
        for (number, value) in (package.records[entity] ?? []).enumerated().dropFirst(first) {
            guard try take(BackupRecord(key: "\(number)", value: value)) else { return }
        }
    }

    func readMedia(_ take: (BackupMedium) throws -> Void) throws {
        for file in package.files { try take(BackupMedium(path: file.path, mediaID: nil, size: nil, digest: nil)) }
    }

    func open(_ medium: BackupMedium) throws -> any BackupFile {
        guard let file = package.files.first(where: { $0.path == medium.path }) else { throw BackupFileError.notFound }
        return File(bytes: file.bytes)
    }

    func masterKey() throws -> [UInt8] { package.masterKey }
}
