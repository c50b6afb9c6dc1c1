import Foundation
import Kernel
import Logging
import Synchronization
import Transfers

/// What is nobody's goes: by the clock, and after a crash.
extension BlobStore {
    /// Rows and names that one step looks at.
    private static let stepLimit = 500
    /// Files whose rows one sweep looks for; the next goes on.
    private static let searchLimit = 10_000
    /// The time between two walks through all files.
    private static let walkInterval = Duration.seconds(3600)
    /// An upload that no request asked for in this time gives its open file back.
    private static let idleness: TimeInterval = 60

    /// Ends what a crash interrupted and removes what is not needed any more. What fails is logged and tried again by the next.
    package func sweep() async {
        await step("uploads that were whole") { try await finishInterrupted() }
        await step("old uploads") { try await removeOldUploads() }
        await step("blobs that nothing names") { [self] in
            let date = time.date.addingTimeInterval(-Self.unreferencedLifetime)
            try await care.run { [table] in try table.markUnreferenced(since: date) }
        }
        await removeDeleted()
        await step("parts that no row names") { try await removeUnknownParts() }
        await step("files that no row names") { try await removeUnknownFiles() }
        dropIdle()
    }

    /// Removes the files of blobs that were marked before, and then their rows.
    package func removeDeleted() async {
        await withCheckedContinuation { continuation in
            care.perform { [self] in
                removeDeletedFiles()
                continuation.resume()
            }
        }
    }

    /// Blocks: for ``care`` alone.
    func removeDeletedFiles() {
        do {
            while case let rows = try table.deleted(limit: Self.stepLimit), !rows.isEmpty {
                for case let key? in rows.map(\.key) { try disk.remove(key) }
                try table.forget(rows.map(\.id))
            }
        } catch {
            logger.notice("files of blobs could not be removed", metadata: ["error": "\(BlobError.telling(error))"])
        }
    }

    private func step(_ name: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch is CancellationError {
            // The role ends; the next start goes on.
        } catch {
            logger.notice("a sweep failed", metadata: ["of": "\(name)", "error": "\(BlobError.telling(error))"])
        }
    }

    /// Blobs that were getting their places when the process was killed: their senders may not come back.
    private func finishInterrupted() async throws {
        let date = time.date.addingTimeInterval(1)
        let records = try await care.run { [table] in
            try table.uploads(.finishing, notTouchedSince: date, limit: Self.stepLimit)
        }
        for record in records where !isInMemory(record.id) {
            do {
                _ = try await completeUpload(record.id, of: record.owner)
            } catch BlobError.unknownUpload {
                await removeUpload(record)
            }
        }
    }

    private func removeOldUploads() async throws {
        let date = time.date.addingTimeInterval(-Self.uploadLifetime)
        let records = try await care.run { [table] in
            try table.uploads(.receiving, notTouchedSince: date, limit: Self.stepLimit)
                + table.uploadsOfOneRequest(limit: Self.stepLimit)
        }
        for record in records {
            let entry = uploads.withLock { $0[record.id] }
            if let entry {
                guard entry.users == 0, entry.upload.record.touchedAt < date else { continue }
                await discard(entry.upload)
            } else {
                await removeUpload(record)
            }
        }
    }

    /// Removes an upload of an earlier process.
    private func removeUpload(_ record: BlobRecord) async {
        await step("an upload") {
            try await care.run { [disk, table] in
                try disk.removePart(record.id)
                try table.remove(record.id)
            }
        }
    }

    private func isInMemory(_ id: String) -> Bool { uploads.withLock { $0[id] != nil } }

    private func removeUnknownParts() async throws {
        let latest = BlobTable.milliseconds(time.date.addingTimeInterval(-Self.orphanLifetime))
        try await care.run { [disk, table] in
            let old = try disk.parts().filter { $0.modifiedMilliseconds < latest }.map(\.name)
            let known = try table.uploads(among: old)
            for name in old where !known.contains(name) { try disk.removePart(name) }
        }
    }

    /// Files without a row: none is made, but an older database may have been brought back from a copy.
    private func removeUnknownFiles() async throws {
        let latest = BlobTable.milliseconds(time.date.addingTimeInterval(-Self.orphanLifetime))
        let now = time.now
        let folders = kinds.values.map(\.folder).sorted()
        try await care.run { [self] in
            var walk = unsearchedDays.withLock(\.self)
            if walk.days.isEmpty {
                if let listedAt = walk.listedAt, now - listedAt < Self.walkInterval { return }
                walk = UnsearchedDays(days: try folders.flatMap { try disk.days(in: $0) }, listedAt: now)
            }
            var searched = 0
            while searched < Self.searchLimit, let day = walk.days.popLast() {
                let files = try disk.objects(of: day)
                let known = try table.keys(of: day)
                for file in files where !known.contains(file.name) && file.modifiedMilliseconds < latest {
                    guard let key = BlobKey(file.name) else { continue }
                    try disk.remove(key)
                }
                searched += files.count + 1
            }
            unsearchedDays.withLock { $0 = walk }
        }
    }

    /// Closes the files of uploads that nothing is sent to at the moment.
    private func dropIdle() {
        let date = time.date.addingTimeInterval(-Self.idleness)
        uploads.withLock { uploads in
            uploads = uploads.filter { $0.value.users > 0 || $0.value.upload.record.touchedAt > date }
        }
    }
}
