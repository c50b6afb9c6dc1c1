import Archives
import Crypto
import Foundation
import Kernel
import MigrationContainer
import Synchronization

/// A backup's source in memory, which can be changed behind a package's back.
final class MemorySource: BackupSource {
    struct State {
        var records: [MigrationEntity: [JSONValue]] = [:]
        var media: [BackupMedium] = []
        var files: [String: [UInt8]] = [:]
        var unreadable: Set<String> = []
        var modified: Int64 = 1
        var key: [UInt8] = Array(0..<32)
        var openCount = 0
    }

    let state: Mutex<State>

    init(_ state: sending State) { self.state = Mutex(state) }

    func readRecords(
        of entity: MigrationEntity,
        after key: String?,
        _ take: (BackupRecord) throws -> Bool
    ) throws {
        let records = state.withLock { $0.records[entity] ?? [] }
        for index in (key.flatMap { Int($0) } ?? -1) + 1..<records.count {
            guard try take(BackupRecord(key: String(index), value: records[index])) else { return }
        }
    }

    func readMedia(_ take: (BackupMedium) throws -> Void) throws {
        for medium in state.withLock({ $0.media }) { try take(medium) }
    }

    func open(_ medium: BackupMedium) throws -> any BackupFile {
        try state.withLock { state in
            state.openCount += 1
            guard state.files[medium.path] != nil else { throw BackupFileError.notFound }
            return MemoryFile(source: self, path: medium.path)
        }
    }

    func masterKey() throws -> [UInt8] { state.withLock { $0.key } }
}

struct MemoryFile: BackupFile {
    let source: MemorySource
    let path: String

    func status() throws -> BackupFileStatus {
        try source.state.withLock { state in
            guard let bytes = state.files[path] else { throw BackupFileError.unreadable }
            return BackupFileStatus(size: UInt64(bytes.count), modified: state.modified, inode: 7)
        }
    }

    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        try source.state.withLock { state in
            guard let bytes = state.files[path], !state.unreadable.contains(path) else {
                throw BackupFileError.unreadable
            }
            return Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
    }
}
