import Foundation
import Kernel
import Logging
import Transfers

/// All uploads: finds, begins, ends and forgets them.
actor ActiveUploads {
    static let legacyLifetime: TimeInterval = 30 * 60
    static let resumableLifetime: TimeInterval = 7 * 24 * 3600

    private static let idleness = TimeInterval(TransferLimits.uploadIdleness.components.seconds)

    /// Finished uploads that a repeated completion still finds.
    private static let doneLimit = 256

    private let context: Upload.Context
    private let time: any TimeSource
    private let logger: Logger
    private let table: TransferTable<Upload>
    private var uploads: [TransferID: Upload] {
        get { table.open }
        set { table.open = newValue }
    }
    /// Removes what arrived of ended uploads.
    private let cleaning = OwnedTasks()

    /// - Throws: When the journal cannot be read.
    init(_ context: Upload.Context, time: any TimeSource, logger: Logger) throws {
        self.context = context
        self.time = time
        self.logger = logger
        var kept: [TransferID: Upload] = [:]
        for record in try context.place.journal.records() {
            guard let id = TransferID(text: "up_" + record.id) else { continue }
            kept[id] = Upload(record, id: id, owner: record.caller, isMade: true, in: context)
        }
        table = TransferTable(kept)
    }

    /// Uploads that are under way: one that was left alone counts again when it goes on.
    func count(of caller: String) -> Int {
        underWay().count { $0.caller == caller && !isIdle($0) }
    }

    private func isIdle(_ upload: Upload) -> Bool {
        time.date.timeIntervalSince(upload.record.touchedAt) >= Self.idleness
    }

    func reports(of caller: String) -> [Upload.Report] {
        uploads.values.filter { $0.caller == caller }.map(\.report)
    }

    /// Uploads that are not finished.
    func underWay() -> [Upload] { uploads.values.filter { $0.record.phase != .done } }

    /// Ends an upload of any caller, which is told so. What arrived of it is removed once its disk answers, which may be never: the owner
    /// does not wait for that.
    ///
    /// - Returns: Whether it was there.
    func end(_ id: TransferID) -> Bool {
        guard let upload = uploads[id], upload.record.phase != .done else { return false }
        table.noteEnd(of: id)
        leave(upload)
        return true
    }

    /// Like ``end(_:)``, for all uploads of a caller.
    func endAll(of caller: String) {
        for upload in underWay() where upload.caller == caller { leave(upload) }
    }

    /// A part that is not removed before this process ends stays in the journal, and goes with those that were kept long enough.
    private func leave(_ upload: Upload) {
        uploads[upload.id] = nil
        upload.end()
        cleaning.add { [self] in await forget(upload) }
    }

    /// - Throws: ``TransferError/unknown(id:)`` also for another caller's: who asks learns nothing of it; ``TransferError/ended``.
    nonisolated func upload(_ id: TransferID, of caller: String) throws(TransferError) -> Upload {
        guard let upload = try table.transfer(id), upload.caller == caller else {
            throw .unknown(id: id.text(.upload))
        }
        upload.touch(time.date)
        return upload
    }

    /// - Parameter others: The caller's transfers that are no uploads.
    func begin(_ request: UploadRequest, of caller: String, others: Int) async throws -> (
        id: TransferID, record: UploadRecord
    ) {
        await expire()
        let folder = context.place.access.roots.path(of: request.folder)
        while let known = uploads.values.first(where: { upload in
            upload.caller == caller && request.continues(upload.record, upload.id, folder: folder)
        }) {
            do {
                known.touch(time.date)
                return (known.id, try await known.resume(request))
            } catch let error as FileError where error.isOfTarget {
                // The part is as good as it was: the same request, allowed to replace the file, goes on with it.
                throw error
            } catch {
                logger.notice("a partial file is of no use any more", metadata: ["transfer": "\(known.id.hexadecimal)"])
                try await remove(known)
            }
        }
        guard count(of: caller) + others < TransferLimits.perCaller else {
            throw TransferError.tooMany(limit: TransferLimits.perCaller)
        }
        // A phone that lost its right meanwhile has its calls cancelled, and then the uploads ended that are in the list.
        try Task.checkCancellation()
        let id = TransferID()
        let record = request.record(id: id, caller: caller, folder: folder, now: time.date)
        let upload = Upload(record, id: id, owner: caller, isMade: false, in: context)
        // Known before its partial file is there: the same request, come again meanwhile, shall not make a second one.
        uploads[id] = upload
        await makeRoom(for: caller)
        do {
            try await upload.make()
        } catch {
            await forget(upload)
            throw error
        }
        return (id, record)
    }

    func complete(_ id: TransferID, of caller: String, checksum: String?) async throws -> UploadRecord {
        let upload = try upload(id, of: caller)
        do {
            return try await upload.complete(checksum: checksum)
        } catch TransferError.checksumMismatch {
            // Which part is wrong is unknown, so no part is of use.
            try await remove(upload)
            throw TransferError.checksumMismatch
        } catch let error as EditConflict {
            // Who edited has the text, and sends it again with what is wanted of it then.
            try await remove(upload)
            throw error
        }
    }

    func cancel(_ id: TransferID, of caller: String) async throws {
        try await remove(try upload(id, of: caller))
    }

    /// Everything written so far is kept, also across a power cut. Called before the process ends.
    func synchronize() async {
        for upload in uploads.values {
            do { try await upload.synchronize() } catch {
                logger.notice("an upload could not be kept", metadata: ["transfer": "\(upload.id.hexadecimal)"])
            }
        }
    }

    /// Removes parts beyond the limit, the one first that was idle the longest. Only after the new one is known, since this waits.
    private func makeRoom(for caller: String) async {
        while true {
            let kept = underWay().filter { $0.caller == caller }
            guard kept.count > TransferLimits.partsPerCaller,
                let oldest = kept.filter(isIdle).min(by: { $0.record.touchedAt < $1.record.touchedAt })
            else { return }
            logger.notice("a partial file gave way to a newer one", metadata: ["transfer": "\(oldest.id.hexadecimal)"])
            await forget(oldest)
        }
    }

    /// Removes what was kept long enough.
    func expire() async {
        let date = time.date
        let done = uploads.values.filter { $0.record.phase == .done }
        if done.count > Self.doneLimit {
            let oldest = done.sorted { $0.record.touchedAt < $1.record.touchedAt }.prefix(done.count - Self.doneLimit)
            for upload in oldest { await forget(upload) }
        }
        for upload in uploads.values {
            let record = upload.record
            let lifetime = record.isResumable ? Self.resumableLifetime : Self.legacyLifetime
            guard date.timeIntervalSince(record.touchedAt) > lifetime else { continue }
            await forget(upload)
        }
    }

    private func forget(_ upload: Upload) async {
        do { try await remove(upload) } catch {
            logger.notice("a partial file could not be removed", metadata: ["transfer": "\(upload.id.hexadecimal)"])
        }
    }

    private func remove(_ upload: Upload) async throws {
        uploads[upload.id] = nil
        try await upload.discard()
    }
}
