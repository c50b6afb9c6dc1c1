package import Foundation
package import GRDB
package import Kernel
package import Logging
package import Storage
import Synchronization
import Transfers

/// Blobs of the owners of one feature: received, kept, read and removed. See `docs/blobs.md`.
///
/// Rows and files agree whenever the process is killed: a file gets its name before its row says so and loses it after its row does. The
/// database must run with `synchronous=FULL`.
package final class BlobStore: Sendable {
    /// One upload in memory, with the requests that it serves now.
    struct Entry {
        let upload: Arrival<BlobPlace>
        var users: Int
    }

    /// How long a blob that nothing names is kept.
    package static let unreferencedLifetime: TimeInterval = 24 * 3600
    /// How long an upload may stand still.
    package static let uploadLifetime: TimeInterval = 24 * 3600
    /// The age of a file without a row from which on it is nobody's.
    package static let orphanLifetime: TimeInterval = 3600
    /// Bytes of a body between two waits for the disk: what a power cut may cost of one request.
    private static let batchSize: Int64 = 4 << 20

    let table: BlobTable
    let disk: any BlobDisk
    let kinds: [String: BlobKind]
    let time: any TimeSource
    let logger: Logger
    let work: BlockingWork
    /// Told of each blob that got its place. It must not wait.
    let stored: @Sendable (BlobObject) -> Void
    /// Removes files, one call after the other.
    let care: BlockingLane
    let uploads = Mutex<[String: Entry]>([:])
    let unsearchedDays = Mutex<UnsearchedDays>(UnsearchedDays())
    private let context: Arrival<BlobPlace>.Context

    /// The table, for the feature's schema.
    package static var migrations: [Migration] { BlobTable.migrations }

    /// - Parameters:
    ///   - database: With the ``migrations``; the feature's own, so that references change in its transactions.
    ///   - kinds: All that the feature has by now. A blob of another kind can be read, and no more are taken.
    ///   - quota: Of each owner.
    ///   - stored: Told of each blob that got its place, after its row says so. It must not wait.
    /// - Throws: ``BlobError/malformedKind(_:)`` for kinds that share a name or a folder.
    package init(
        _ disk: any BlobDisk,
        database: any DatabaseWriter,
        kinds: [BlobKind],
        quota: BlobQuota = BlobQuota(),
        time: any TimeSource = .system,
        logger: Logger = Logger(label: "tandem.blobs"),
        stored: @escaping @Sendable (BlobObject) -> Void = { _ in }
    ) throws(BlobError) {
        for kind in kinds where kinds.count(where: { $0.name == kind.name || $0.folder == kind.folder }) > 1 {
            throw .malformedKind(kind.name)
        }
        self.kinds = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
        self.disk = disk
        self.time = time
        self.logger = logger
        self.stored = stored
        table = BlobTable(database: database)
        work = BlockingWork("blobs", width: 4)
        care = BlockingLane(on: work)
        context = Arrival<BlobPlace>.Context(
            BlobPlace(table: table, disk: disk, quota: quota),
            batchSize: Self.batchSize,
            work: work
        )
    }

    /// - Throws: ``BlobError/unknownKind``.
    package func kind(_ name: String) throws(BlobError) -> BlobKind {
        guard let kind = kinds[name] else { throw .unknownKind }
        return kind
    }

    /// Sweeps now and every minute, until its task is cancelled.
    package func run() async {
        repeat { await sweep() } while await time.pause(for: .seconds(60))
    }

    // MARK: Uploads in memory

    /// A new upload, for which there is room.
    ///
    /// - Throws: ``BlobError``.
    func begin(_ kind: BlobKind, size: Int64, of owner: String, isResumable: Bool) async throws -> Arrival<BlobPlace> {
        let record = BlobRecord(
            id: BlobKey.token(),
            owner: owner,
            kind: kind.name,
            size: size,
            isResumable: isResumable,
            touchedAt: time.date
        )
        let upload = Arrival(record, id: record.id, owner: owner, isMade: false, in: context)
        uploads.withLock { $0[record.id] = Entry(upload: upload, users: 1) }
        do {
            try await upload.make()
        } catch {
            forget(record.id)
            throw BlobError.telling(error)
        }
        return upload
    }

    /// Runs `body` with an upload that is not dropped from memory meanwhile.
    ///
    /// - Throws: ``BlobError/unknownUpload`` also for another owner's; what `body` throws.
    func using<Value>(
        _ id: String,
        of owner: String,
        _ body: (Arrival<BlobPlace>) async throws -> Value
    ) async throws -> Value {
        do {
            let upload = try await enter(id, of: owner)
            defer { leave(id) }
            upload.touch(time.date)
            return try await body(upload)
        } catch {
            throw BlobError.telling(error)
        }
    }

    private func enter(_ id: String, of owner: String) async throws -> Arrival<BlobPlace> {
        guard BlobKey.isToken(id) else { throw BlobError.unknownUpload }
        if let known = taken(id) {
            guard known.owner == owner else {
                leave(id)
                throw BlobError.unknownUpload
            }
            return known
        }
        guard let record = try await work.run({ [table] in try table.record(id, of: owner) }), record.phase != .done,
            // Its only request is over, and so is it.
            record.isResumable || record.phase == .finishing
        else { throw BlobError.unknownUpload }
        return uploads.withLock { [context] uploads in
            let entry = uploads[id]
            let upload = entry?.upload ?? Arrival(record, id: id, owner: owner, isMade: true, in: context)
            uploads[id] = Entry(upload: upload, users: (entry?.users ?? 0) + 1)
            return upload
        }
    }

    private func taken(_ id: String) -> Arrival<BlobPlace>? {
        uploads.withLock { uploads in
            uploads[id]?.users += 1
            return uploads[id]?.upload
        }
    }

    func leave(_ id: String) { uploads.withLock { $0[id]?.users -= 1 } }

    func forget(_ id: String) { uploads.withLock { $0[id] = nil } }

    /// Removes all of an upload, also where the one who asks for it is gone.
    func discard(_ upload: Arrival<BlobPlace>) async {
        forget(upload.id)
        upload.end()
        do {
            try await withCancellationShield { try await upload.discard() }
        } catch {
            // Its row stays, and the next sweep tries again.
            logger.notice("an upload could not be removed", metadata: ["error": "\(BlobError.telling(error))"])
        }
    }
}
