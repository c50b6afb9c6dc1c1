import Commands
import Foundation
import Kernel
import Transfers

/// Small files of a folder, many in one exchange. What does not go that way goes alone afterwards, with all that belongs to it: the
/// sentence, the second try, the part that is gone on with. Source: `docs/protocol.md`, "Many small files".
extension FileTransferClient {
    /// The limit for a batch's answer: the computer may first have much of others' data to bring to the disk.
    private static let batchTime: Duration = .seconds(120)

    /// The result of a batch.
    struct Batch<Item: Sendable>: Sendable {
        var report = TransferReport()
        /// Items that are to go alone.
        var left: [Item] = []
    }

    func uploadBatch(_ names: [[UInt8]], in folder: LocalFolder, to remote: String, replacing: Bool) async throws
        -> Batch<[UInt8]>
    {
        func key(_ name: [UInt8]) -> String { Self.uploadKey(name, in: folder, to: remote) }
        let claimed = claimFree(names, key: key)
        defer { for name in claimed { release(key(name)) } }
        let isClaimed = Set(claimed)
        var batch = Batch<[UInt8]>()
        let report = try await continuing {
            batch = Batch(left: names.filter { !isClaimed.contains($0) })
            let read = try await work.run { [journal, desktop] in
                // A part of them is at the computer already, or was: that transfer goes on.
                let begun = Set(
                    try journal.records().filter {
                        $0.desktop == desktop && $0.direction == .upload && $0.localFolder == folder.path
                    }.map { Array($0.localName) }
                )
                return claimed.map { name in
                    (name: name, file: begun.contains(name) ? nil : Self.whole(name, in: folder))
                }
            }
            batch.left += read.filter { $0.file == nil }.map { $0.name }
            let files = read.compactMap { $0.file }
            let outcomes = try await asking(files.count, size: files.reduce(0) { $0 + $1.content.count }) {
                try await self.call(
                    FileMethods.uploadFiles,
                    UploadFiles(folder: remote, files: files, replacing: replacing),
                    timeout: Self.batchTime
                ).files
            }
            guard let outcomes else {
                batch.left += files.map(\.name)
                return batch.report
            }
            for (file, outcome) in zip(files, outcomes) {
                switch outcome {
                case .arrived:
                    batch.report.add(TransferReport(files: 1, bytes: Int64(file.content.count)))
                    tell(.upload, Self.path(of: file.name, in: remote), Int64(file.content.count))
                case .present: batch.report.add(TransferReport(present: 1))
                case .refused: batch.left.append(file.name)
                }
            }
            return batch.report
        }
        return Batch(report: report, left: batch.left)
    }

    /// Nil for what cannot be read whole, or changes meanwhile: where it goes alone, the reason is said.
    private static func whole(_ name: [UInt8], in folder: LocalFolder) -> WholeFile? {
        do {
            let file = try folder.file(name)
            let status = try file.status()
            guard status.size <= BatchTerms.most.bytes else { return nil }
            let content = try file.read(at: 0, count: Int(status.size))
            guard Int64(content.count) == status.size, try file.status().version == status.version else { return nil }
            let modified = status.modifiedMilliseconds
            return WholeFile(
                name: name,
                content: content,
                permissions: status.permissions & 0o777,
                modifiedMilliseconds: TransferLimits.modified.contains(modified) ? modified : nil
            )
        } catch {
            return nil
        }
    }

    func downloadBatch(_ entries: [FileEntry], of remote: String, to folder: LocalFolder, replacing: Bool) async throws
        -> Batch<FileEntry>
    {
        func key(_ entry: FileEntry) -> String { Self.downloadKey(entry.name, in: folder) }
        let claimed = claimFree(entries, key: key)
        defer { for entry in claimed { release(key(entry)) } }
        let isClaimed = Set(claimed)
        var batch = Batch<FileEntry>()
        let report = try await continuing {
            batch = Batch(left: entries.filter { !isClaimed.contains($0) })
            let free = try await work.run { try self.free(claimed, in: folder, replacing: replacing) }
            let isFree = Set(free)
            batch.left += claimed.filter { !isFree.contains($0) }
            let outcomes = try await asking(free.count, size: free.reduce(0) { $0 + Int($1.size ?? 0) }) {
                try await self.call(
                    FileMethods.downloadFiles,
                    DownloadFiles(folder: remote, names: free.map(\.nameText)),
                    timeout: Self.batchTime
                ).files
            }
            guard let outcomes else {
                batch.left += free
                return batch.report
            }
            var (came, files): ([FileEntry], [WholeFile]) = ([], [])
            for (entry, outcome) in zip(free, outcomes) {
                guard case .file(let bytes, let permissions, let modified) = outcome else {
                    batch.left.append(entry)
                    continue
                }
                came.append(entry)
                files.append(
                    WholeFile(
                        name: entry.name,
                        content: Array(bytes),
                        permissions: permissions,
                        modifiedMilliseconds: modified
                    )
                )
            }
            let failures = try await write(files, from: came.map { $0.path(in: remote) }, to: folder, replacing)
            for (index, entry) in came.enumerated() {
                guard let failures, failures[index] == nil else {
                    batch.left.append(entry)
                    continue
                }
                let size = Int64(files[index].content.count)
                batch.report.add(TransferReport(files: 1, bytes: size))
                tell(.download, entry.path(in: remote), size)
            }
            return batch.report
        }
        return Batch(report: report, left: batch.left)
    }

    /// The entries that may come by a batch: nothing has their name, and no transfer of them can go on. What a crash left of a
    /// batch is removed.
    private nonisolated func free(_ entries: [FileEntry], in folder: LocalFolder, replacing: Bool) throws
        -> [FileEntry]
    {
        let names = Set(entries.map { Data($0.name) })
        let known = try journal.records().filter {
            $0.desktop == desktop && $0.direction == .download && $0.localFolder == folder.path
                && names.contains($0.localName)
        }
        let useless = known.filter { $0.version == nil }
        for record in useless { try folder.remove(record.partName) }
        if !useless.isEmpty { try journal.removeAll(useless.map(\.id)) }
        let begun = Set(known.filter { $0.version != nil }.map(\.localName))
        return try entries.filter { entry in
            guard !begun.contains(Data(entry.name)) else { return false }
            return try replacing || folder.status(of: entry.name) == nil
        }
    }

    /// - Parameter paths: At the computer.
    /// - Returns: For each file, why it is not there; nil where the reason is about all of them.
    private func write(_ files: [WholeFile], from paths: [String], to folder: LocalFolder, _ replacing: Bool)
        async throws -> [FileError?]?
    {
        let records = zip(files, paths).map { file, path in
            TransferRecord(
                id: TransferID().hexadecimal,
                desktop: desktop,
                direction: .download,
                remotePath: path,
                localFolder: folder.path,
                localName: Data(file.name),
                size: Int64(file.content.count),
                version: nil,
                beganAt: time.date
            )
        }
        let earlyEnd = EarlyEnd()
        let batch = FileBatch(
            files,
            ids: records.map(\.id),
            in: LocalArrivalFolder(folder),
            replacing: replacing,
            journal: FileBatch.Journal(
                begin: { [journal] in try journal.saveAll($0.map { records[$0] }) },
                end: { [journal] in try journal.removeAll($0.map { records[$0].id }) }
            ),
            earlyEnd: earlyEnd
        )
        do {
            return try await withTaskCancellationHandler {
                try await work.run { try batch.run() }
            } onCancel: {
                earlyEnd.end(CancellationError())
            }
        } catch is FileError {
            // Alone each says it of itself, unless it is gone by then.
            return nil
        }
    }

    /// Asks for a batch.
    ///
    /// - Parameters:
    ///   - count: The number of files; without one nothing is asked.
    ///   - size: Bytes of all files together, which are taken from the window for batches.
    /// - Returns: Each file's outcome; nil where the computer refuses the batch, and all are to go alone.
    private func asking<Outcome: Sendable>(_ count: Int, size: Int, _ ask: () async throws -> [Outcome]) async throws
        -> [Outcome]?
    {
        guard count > 0 else { return [] }
        try await batchWindow.acquire(size)
        do {
            let outcomes = try await ask()
            await batchWindow.release(size)
            return outcomes.count == count ? outcomes : nil
        } catch {
            await batchWindow.release(size)
            guard let failure = error as? RemoteFailure, failure.code != FailureCode.cancelled else { throw error }
            return nil
        }
    }

    private nonisolated func tell(_ direction: TransferDirection, _ path: String, _ size: Int64) {
        tell(TransferProgress(direction: direction, path: path, done: size, total: size))
    }
}
