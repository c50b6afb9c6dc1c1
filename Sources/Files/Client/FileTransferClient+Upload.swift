import Commands
import Foundation
import Kernel
import Transfers

extension FileTransferClient {
    /// Sends a file, or a folder with all in it.
    ///
    /// - Parameters:
    ///   - local: A path on this device.
    ///   - folder: A folder of the desktop; empty: where it puts what it is sent.
    ///   - replacing: Whether files there may be replaced.
    /// - Throws: ``FileError`` about this device, ``TransferError``, ``RemoteFailure`` when the desktop refused.
    public func upload(_ local: String, to folder: String, replacing: Bool = false) async throws -> TransferReport {
        let (parent, name) = try await work.run { try Self.parent(of: local) }
        let kind = try await work.run { try parent.status(of: name)?.kind }
        switch kind {
        case .file?: return try await uploadFile(name, in: parent, to: folder, replacing: replacing)
        case .folder?:
            let inner = try await work.run { try parent.folder(name) }
            let base = folder.isEmpty ? "~" : folder
            let (target, terms) = try await makeFolder(FileNameText.text(name), in: base)
            let troubles = FolderTroubles {
                _ = try await self.call(FileMethods.createFolder, CreateFolder(path: target))
            }
            // The folder itself is no item of one: what it cannot be is said as an error.
            let entries = try await entries(of: inner)
            let first = Self.steps(entries, in: inner, to: target, together: terms, depth: 1)
            var report = try await walk(from: first) { step in
                try await self.run(step, replacing: replacing, troubles)
            }
            report.path = target
            return report
        case nil: throw FileError.notFound(local)
        case let kind?: throw FileError.notOrdinary(local, kind)
        }
    }

    /// Throws away what interrupted uploads of a file, or of everything in a folder, left at the computer.
    ///
    /// - Parameter local: An absolute path on this device; nothing needs to be there any more.
    /// - Returns: How many they were.
    /// - Throws: ``TransferError/busy`` while one of them is under way; as ``upload(_:to:replacing:)``.
    public func discard(_ local: String) async throws -> Int {
        let records = try await unfinished().filter { record in
            let path = record.localFile
            return record.direction == .upload && (path == local || path.hasPrefix(local + "/"))
        }
        guard records.allSatisfy({ !isUnderWay($0) }) else { throw TransferError.busy }
        let paths = Set(records.map(\.remotePath))
        let list = try await call(FileMethods.listTransfers, NoParameters())
        for transfer in list.transfers
        where transfer.direction == .upload && transfer.status != "done" && paths.contains(transfer.path) {
            _ = try await call(FileMethods.cancelTransfer, NamedTransfer(transfer.transferID))
        }
        try await work.run { [journal] in for record in records { try journal.remove(record.id) } }
        return records.count
    }

    private static func parent(of local: String) throws(FileError) -> (LocalFolder, [UInt8]) {
        let trimmed = local.count > 1 && local.hasSuffix("/") ? String(local.dropLast()) : local
        let bytes = FileNameText.bytes(trimmed)
        let name = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        try FileNameText.check(name)
        let folder = trimmed.contains("/") ? String(trimmed.dropLast(FileNameText.text(name).count)) : "."
        return (try LocalFolder.open(folder), name)
    }

    /// - Returns: Also what of small files the computer takes together; nil: one after the other.
    private func makeFolder(_ name: String, in folder: String) async throws -> (path: String, terms: BatchTerms?) {
        let path = (folder.contains("/") || folder == "~" ? folder : "./" + folder) + "/" + name
        let created = try await call(FileMethods.createFolder, CreateFolder(path: path))
        return (created.path.isEmpty ? path : created.path, created.batch)
    }

    private func entries(of folder: LocalFolder) async throws -> [LocalEntry] {
        try await work.run {
            try folder.names(limit: Self.entryLimit).map { LocalEntry(name: $0, status: try folder.status(of: $0)) }
        }
    }

    /// The steps for a folder's entries: its files first, the small ones together.
    private static func steps(
        _ entries: [LocalEntry],
        in folder: LocalFolder,
        to remote: String,
        together terms: BatchTerms?,
        depth: Int
    ) -> TreeProgress<UploadStep> {
        var progress = TreeProgress<UploadStep>(entryCount: entries.count, path: folder.path)
        let files = entries.filter { $0.kind == .file }
        let groups = terms?.groups(of: files) { $0.status?.size } ?? (batches: [], alone: files)
        progress.steps += groups.batches.map { UploadStep.batch($0.map(\.name), in: folder, to: remote) }
        progress.steps += groups.alone.map { UploadStep.file($0.name, in: folder, to: remote) }
        for entry in entries where entry.kind != .file {
            if entry.kind == .folder {
                progress.steps.append(.folder(entry.name, in: folder, to: remote, depth: depth))
            } else {
                let path = folder.text(of: entry.name)
                progress.report.skipped.append("\(path) is \(entry.kind?.words ?? "gone") and was left out.")
            }
        }
        return progress
    }

    private func run(_ step: UploadStep, replacing: Bool, _ troubles: FolderTroubles) async throws
        -> TreeProgress<UploadStep>
    {
        switch step {
        case .folder(let name, let folder, let remote, let depth):
            let path = folder.text(of: name)
            var progress = TreeProgress<UploadStep>()
            let opened = try await Self.item(path, troubles) {
                guard depth < Self.depthLimit else {
                    throw FileError.system(path, reason: "its folders are too deep")
                }
                let below = try await work.run { try folder.folder(name) }
                let entries = try await entries(of: below)
                let (target, terms) = try await makeFolder(FileNameText.text(name), in: remote)
                progress = Self.steps(entries, in: below, to: target, together: terms, depth: depth + 1)
                return TransferReport()
            }
            progress.report.add(opened)
            return progress
        case .batch(let names, let folder, let remote):
            let batch = try await uploadBatch(names, in: folder, to: remote, replacing: replacing)
            let left = batch.left.map { UploadStep.file($0, in: folder, to: remote) }
            return TreeProgress(report: batch.report, steps: left)
        case .file(let name, let folder, let remote):
            let report = try await Self.item(folder.text(of: name), troubles) {
                try await uploadFile(name, in: folder, to: remote, replacing: replacing)
            } isSame: {
                try await isSame(name, in: folder, asIn: remote)
            }
            return TreeProgress(report: report)
        }
    }

    private func isSame(_ name: [UInt8], in folder: LocalFolder, asIn remote: String) async throws -> Bool {
        let entry = try await call(FileMethods.info, NamedFile(path: Self.path(of: name, in: remote))).file
        guard let entry, !entry.isFolder, let mark = FileMark(entry) else { return false }
        return try await work.run { try folder.status(of: name) }.map(FileMark.init) == mark
    }

    private func uploadFile(_ name: [UInt8], in folder: LocalFolder, to remote: String, replacing: Bool) async throws
        -> TransferReport
    {
        try await continuing { try await uploadOnce(name, in: folder, to: remote, replacing: replacing) }
    }

    private func uploadOnce(_ name: [UInt8], in folder: LocalFolder, to remote: String, replacing: Bool) async throws
        -> TransferReport
    {
        let text = FileNameText.text(name)
        let key = Self.uploadKey(name, in: folder, to: remote)
        try claim(key)
        defer { release(key) }
        let (file, status) = try await work.run {
            let file = try folder.file(name)
            return (file, try file.status())
        }
        let checksumKey = ChecksumMethod.newKey()
        var params = RequestUpload(fileName: text, fileSize: status.size)
        params.folder = remote
        params.source = status.version
        params.isResumable = true
        params.chunkSize = tuning.chunkSize
        params.replaces = replacing
        params.permissions = status.permissions & 0o777
        params.checksumKey = checksumKey
        if TransferLimits.modified.contains(status.modifiedMilliseconds) {
            params.modifiedMilliseconds = status.modifiedMilliseconds
        }
        let begun = try await call(FileMethods.requestUpload, params)
        let transfer = try RemoteTransfer(
            begun,
            size: status.size,
            checksumKey: checksumKey,
            frameSize: tuning.frameSize
        )
        let path = !begun.path.isEmpty ? begun.path : remote.isEmpty ? text : remote + "/" + text
        let record = TransferRecord(
            id: TransferID().hexadecimal,
            desktop: desktop,
            direction: .upload,
            remotePath: path,
            localFolder: folder.path,
            localName: Data(name),
            size: status.size,
            version: status.version,
            beganAt: time.date
        )
        let kept = try await work.run { [journal, desktop] in
            let known = try journal.records().first {
                $0.desktop == desktop && $0.direction == .upload && $0.remotePath == path
                    && $0.localFolder == folder.path && $0.localName == Data(name)
            }
            if let known { return known }
            try journal.save(record)
            return record
        }
        let digest = SequentialDigest(transfer.checksumMethod, of: file, size: status.size, path: text)
        var done = transfer.received.count
        tell(TransferProgress(direction: .upload, path: path, done: done, total: status.size))
        try await forEach(transfer.chunks(without: transfer.received), atATime: 16) { chunk in
            try await self.send(chunk, of: file, digest, to: transfer)
        } take: { count in
            done = min(status.size, done + count)
            tell(TransferProgress(direction: .upload, path: path, done: done, total: status.size))
        }
        guard try await work.run({ try file.status().version }) == status.version else {
            _ = try await call(FileMethods.cancelTransfer, NamedTransfer(transfer.text))
            throw TransferError.sourceChanged("\(folder.path)/\(text)")
        }
        let checksum = try await work.run { try digest.finish() }
        let completed = try await call(
            FileMethods.completeUpload,
            CompleteUpload(transferID: transfer.text, checksum: checksum),
            timeout: Self.time(for: status.size)
        )
        try await work.run { [journal] in try journal.remove(kept.id) }
        return TransferReport(files: 1, bytes: status.size, path: completed.path ?? path)
    }

    private nonisolated func send(
        _ chunk: Range<Int64>,
        of file: LocalFile,
        _ digest: SequentialDigest,
        to transfer: RemoteTransfer
    ) async throws -> Int64 {
        let count = chunk.count
        try await window.acquire(count)
        do {
            let bytes = try await work.run {
                let bytes = try file.read(at: chunk.lowerBound, count: count)
                guard bytes.count == count else { throw TransferError.sourceChanged("The file") }
                try digest.take(bytes[...], at: chunk.lowerBound)
                return bytes
            }
            try await hand(bytes, at: chunk.lowerBound, to: transfer)
        } catch {
            await window.release(count)
            throw error
        }
        await window.release(count)
        return Int64(count)
    }

    /// Hands over a part of a file; the computer has it when this returns.
    nonisolated func hand(_ bytes: [UInt8], at offset: Int64, to transfer: RemoteTransfer) async throws {
        if transfer.usesFrames, let exchange {
            let frame = TransferFrame(transfer: transfer.id, offset: offset, content: .data(bytes[...]))
            guard case .taken(bytes.count) = try await exchange.answer(to: frame) else {
                throw TransferError.malformedAnswer(method: "a file's frame")
            }
        } else {
            let index = offset / transfer.chunkSize
            let params = UploadChunk(transferID: transfer.text, index: index, bytes: Data(bytes))
            _ = try await call(FileMethods.uploadChunk, params)
        }
    }
}
