import Commands
import Foundation
import Kernel
import Transfers

/// Small files of a folder, many in one exchange. What does not go that way goes alone afterwards, with all that belongs to it: the
/// sentence, the second try, the part that is gone on with. Source: `docs/protocol.md`, "Many small files".
extension FileTransferClient {
    /// The limit for a batch's answer: the computer may first have much of others' data to bring to the disk.
    static let batchTime: Duration = .seconds(120)

    /// The result of a batch.
    struct Batch<Item: Sendable>: Sendable {
        var report = TransferReport()
        /// Items that are to go alone.
        var left: [Item] = []
    }

    /// Runs an exchange of files that are not on their way already; those that are go alone.
    ///
    /// - Parameter exchange: Is given the files, and adds to the result what came of each.
    private func batch<Item: FolderItem>(
        _ items: [Item],
        key: (Item) -> String,
        _ exchange: ([Item], inout Batch<Item>) async throws -> Void
    ) async throws -> Batch<Item> {
        let claimed = claimFree(items, key: key)
        defer { for item in claimed { release(key(item)) } }
        let isClaimed = Set(claimed)
        var batch = Batch<Item>()
        _ = try await continuing {
            batch = Batch(left: items.filter { !isClaimed.contains($0) })
            try await exchange(claimed, &batch)
            return batch.report
        }
        return batch
    }

    func uploadBatch(_ entries: [LocalEntry], in pair: FolderPair, replacing: Bool) async throws -> Batch<LocalEntry> {
        let folder = pair.local
        return try await batch(entries) {
            Self.uploadKey($0.name, in: folder, to: pair.remote)
        } _: { claimed, batch in
            let read = try await work.run {
                // A part of them is at the computer already, or was: that transfer goes on.
                let begun = Set(try self.records(.upload, in: folder).map { Array($0.localName) })
                return claimed.map { entry in
                    (entry: entry, file: begun.contains(entry.name) ? nil : Self.whole(entry.name, in: folder))
                }
            }
            batch.left += read.filter { $0.file == nil }.map(\.entry)
            let files = read.compactMap { $0.file }
            let sent = read.filter { $0.file != nil }.map(\.entry)
            let size = files.reduce(0) { $0 + $1.content.count }
            let outcomes = try await asking(files.count, size: size) {
                if size > BatchTerms.most.bytes { return try await self.sendBundle(files, to: pair.remote, replacing) }
                return try await self.call(
                    FileMethods.uploadFiles,
                    UploadFiles(folder: pair.remote, files: files, replacing: replacing),
                    timeout: Self.batchTime
                ).files
            }
            guard let outcomes else {
                batch.left += sent
                return
            }
            for ((entry, file), outcome) in zip(zip(sent, files), outcomes) {
                switch outcome {
                case .arrived:
                    let size = Int64(file.content.count)
                    batch.report.add(TransferReport(files: 1, bytes: size))
                    tell(.upload, Self.path(of: file.name, in: pair.remote), size, of: size)
                case .present: batch.report.add(TransferReport(present: 1))
                case .wanted, .refused: batch.left.append(entry)
                }
            }
        }
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

    func downloadBatch(_ entries: [FileEntry], in pair: FolderPair, replacing: Bool) async throws -> Batch<FileEntry> {
        let (folder, remote) = (pair.local, pair.remote)
        return try await batch(entries) {
            Self.downloadKey($0.name, in: folder)
        } _: { claimed, batch in
            let free = try await work.run { try self.free(claimed, in: folder, replacing: replacing) }
            let isFree = Set(free)
            batch.left += claimed.filter { !isFree.contains($0) }
            // Sizes of a listing, each within what a batch may have.
            let size = free.reduce(0) { $0 + Int($1.size ?? 0) }
            let outcomes = try await asking(free.count, size: size) {
                if size > BatchTerms.most.bytes {
                    return try await self.fetchBundle(free.map(\.nameText), from: remote)
                }
                return try await self.call(
                    FileMethods.downloadFiles,
                    DownloadFiles(folder: remote, names: free.map(\.nameText)),
                    timeout: Self.batchTime
                ).files
            }
            guard let outcomes else {
                batch.left += free
                return
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
                tell(.download, entry.path(in: remote), size, of: size)
            }
        }
    }

    /// The entries that may come by a batch: nothing has their name, and no transfer of them can go on. What a crash left of a
    /// batch is removed.
    private nonisolated func free(_ entries: [FileEntry], in folder: LocalFolder, replacing: Bool) throws
        -> [FileEntry]
    {
        let names = Set(entries.map { Data($0.name) })
        let known = try records(.download, in: folder).filter { names.contains($0.localName) }
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
            record(.download, path, file.name, in: folder, size: Int64(file.content.count), version: nil)
        }
        let earlyEnd = EarlyEnd()
        let batch = FileBatch(
            files,
            records,
            in: folder,
            replacing: replacing,
            earlyEnd: earlyEnd,
            begin: journal.saveAll,
            end: journal.removeAll
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
    ///   - size: Bytes of all files together, which are taken from the window for batches of their kind.
    /// - Returns: Each file's outcome; nil where the computer refuses the batch, and all are to go alone.
    private func asking<Outcome: Sendable>(_ count: Int, size: Int, _ ask: () async throws -> [Outcome]) async throws
        -> [Outcome]?
    {
        guard count > 0 else { return [] }
        do {
            let window = size > BatchTerms.most.bytes ? bundleWindow : batchWindow
            let outcomes = try await window.with(size, ask)
            return outcomes.count == count ? outcomes : nil
        } catch let failure as RemoteFailure where failure.code != FailureCode.cancelled {
            return nil
        } catch let error as TransferError where error.facts.code != FailureCode.cancelled {
            // What travels apart was refused, or is not what was read.
            return nil
        }
    }
}
