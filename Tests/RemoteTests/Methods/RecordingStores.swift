import CommandServer
import Commands
import FilesHost
import Foundation
import Synchronization

/// What the desktop writes down for others' sake, each use of it noted: uploads, durable answers and nonces.
final class RecordingStores: UploadJournal, AnswerStore, NonceStore {
    private let uploads = Mutex<[String: UploadRecord]>([:])
    private let nonces = MemoryNonceStore()
    private let log: EffectLog

    init(log: EffectLog) { self.log = log }

    func records() throws -> [UploadRecord] { uploads.withLock { Array($0.values) } }

    func save(_ record: UploadRecord) throws {
        log.note("note an upload")
        uploads.withLock { $0[record.id] = record }
    }

    func remove(_ id: String) throws {
        log.note("forget an upload")
        uploads.withLock { $0[id] = nil }
    }

    func begin(_ id: String, of method: String, from caller: String, now: Date) async throws -> KnownCommand? {
        log.note("note a durable command")
        return nil
    }

    func finish(_ id: String, from caller: String, with response: CommandResponse) async throws {
        log.note("keep a durable answer")
    }

    func forget(_ id: String, from caller: String) async throws { log.note("forget a durable command") }

    func use(_ nonce: String, by did: String, now: Date) async throws -> Bool {
        log.note("use a nonce")
        return try await nonces.use(nonce, by: did, now: now)
    }
}
