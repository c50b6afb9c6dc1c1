import Commands
import Foundation
import Kernel
import Transfers

extension FileTransferClient {
    /// Fetches a file, or a folder with all in it.
    ///
    /// - Parameters:
    ///   - remote: A path on the desktop.
    ///   - local: A folder on this device.
    ///   - name: Its name there; nil: as on the desktop.
    ///   - replacing: Whether files here may be replaced.
    /// - Throws: ``FileError`` about this device, ``TransferError``, ``RemoteFailure`` when the desktop refused.
    public func download(_ remote: String, to local: String, as name: String? = nil, replacing: Bool = false)
        async throws -> TransferReport
    {
        let folder = try await work.run { try LocalFolder.open(local) }
        let information = try await call(FileMethods.info, NamedFile(path: remote))
        guard let file = information.file else { throw FileError.notFound(remote) }
        let path = file.path.isEmpty ? remote : file.path
        let own = name.map(FileNameText.bytes) ?? file.name
        try FileNameText.check(own)
        guard file.isFolder else { return try await downloadFile(path, as: own, to: folder, replacing: replacing) }
        let inner = try await work.run { try folder.folder(own, making: true) }
        let troubles = FolderTroubles {
            var params = ListFolder(path: path)
            params.limit = 1
            _ = try await self.call(FileMethods.list, params)
        }
        // The folder itself is no item of one: what it cannot be is said as an error.
        let (entries, terms) = try await remoteEntries(path)
        let first = Self.steps(entries, of: path, to: inner, together: terms, depth: 1)
        var report = try await walk(from: first) { step in
            try await self.run(step, replacing: replacing, troubles)
        }
        report.path = inner.path
        return report
    }

    /// The steps for a folder's entries: its files first, the small ones together.
    private static func steps(
        _ entries: [FileEntry],
        of remote: String,
        to folder: LocalFolder,
        together terms: BatchTerms?,
        depth: Int
    ) -> TreeProgress<DownloadStep> {
        var progress = TreeProgress<DownloadStep>(entryCount: entries.count, path: remote)
        var files: [FileEntry] = []
        var folders: [DownloadStep] = []
        for entry in entries {
            do throws(FileError) {
                // The desktop's word for a name, which must be one: never a way to somewhere else.
                try FileNameText.check(entry.name)
                switch entry.kind {
                case .file: files.append(entry)
                case .folder: folders.append(.folder(entry, of: remote, to: folder, depth: depth))
                case let kind:
                    let path = entry.path(in: remote)
                    progress.report.skipped.append("\(path) is \(kind.words) and was left out.")
                }
            } catch {
                progress.report.skipped.append("\(error)")
            }
        }
        let groups = terms?.groups(of: files, size: \.size) ?? (batches: [], alone: files)
        progress.steps += groups.batches.map { DownloadStep.batch($0, of: remote, to: folder) }
        progress.steps += groups.alone.map { DownloadStep.file($0, of: remote, to: folder) }
        progress.steps += folders
        return progress
    }

    private func run(_ step: DownloadStep, replacing: Bool, _ troubles: FolderTroubles) async throws
        -> TreeProgress<DownloadStep>
    {
        switch step {
        case .folder(let entry, let remote, let folder, let depth):
            let path = entry.path(in: remote)
            var progress = TreeProgress<DownloadStep>()
            let opened = try await Self.item(path, troubles) {
                guard depth < Self.depthLimit else {
                    throw FileError.system(path, reason: "its folders are too deep")
                }
                let (entries, terms) = try await remoteEntries(path)
                let below = try await work.run { try folder.folder(entry.name, making: true) }
                progress = Self.steps(entries, of: path, to: below, together: terms, depth: depth + 1)
                return TransferReport()
            }
            progress.report.add(opened)
            return progress
        case .batch(let entries, let remote, let folder):
            let batch = try await downloadBatch(entries, of: remote, to: folder, replacing: replacing)
            let left = batch.left.map { DownloadStep.file($0, of: remote, to: folder) }
            return TreeProgress(report: batch.report, steps: left)
        case .file(let entry, let remote, let folder):
            let report = try await Self.item(entry.path(in: remote), troubles) {
                try await downloadFile(entry.path(in: remote), as: entry.name, to: folder, replacing: replacing)
            } isSame: {
                guard let mark = FileMark(entry) else { return false }
                let status = try await work.run { try folder.status(of: entry.name) }
                return status?.kind == .file && status.map(FileMark.init) == mark
            }
            return TreeProgress(report: report)
        }
    }

    /// - Returns: Also what of small files the computer gives together; nil: one after the other.
    private func remoteEntries(_ path: String) async throws -> (entries: [FileEntry], terms: BatchTerms?) {
        var entries: [FileEntry] = []
        var params = ListFolder(path: path)
        params.showsHidden = true
        params.isCompact = true
        while true {
            let page = try await call(FileMethods.list, params)
            entries += page.entries
            guard entries.count <= Self.entryLimit else {
                throw FileError.tooManyEntries(path, limit: Self.entryLimit)
            }
            guard let next = try page.nextOffset(after: params.offset) else { return (entries, page.batch) }
            params.offset = next
        }
    }

    private func downloadFile(_ remote: String, as name: [UInt8], to folder: LocalFolder, replacing: Bool)
        async throws -> TransferReport
    {
        let transfer = {
            try await self.continuing {
                try await self.downloadOnce(remote, as: name, to: folder, replacing: replacing)
            }
        }
        do {
            return try await transfer()
        } catch let error where Self.isChange(error) {
            // A file that was written to while it was read may be whole by now.
            return try await transfer()
        }
    }

    private static func isChange(_ error: any Error) -> Bool {
        let code = (error as? RemoteFailure)?.code ?? (error as? TransferError)?.facts.code
        return code == FailureCode.sourceChanged
    }

    private func downloadOnce(_ remote: String, as name: [UInt8], to folder: LocalFolder, replacing: Bool)
        async throws -> TransferReport
    {
        let key = Self.downloadKey(name, in: folder)
        try claim(key)
        defer { release(key) }
        let known = try await work.run { [journal, desktop] in
            try journal.records().first {
                $0.desktop == desktop && $0.direction == .download && $0.remotePath == remote
                    && $0.localFolder == folder.path && $0.localName == Data(name)
            }
        }
        let present = try await work.run { try folder.status(of: name) }
        if let known, let inode = known.inode, inode == present?.inode {
            // The crash came after the file got its name.
            try await forget(known, in: folder)
            return TransferReport(files: 1, bytes: known.size, path: "\(folder.path)/\(FileNameText.text(name))")
        }
        if !replacing, present != nil {
            // Without a version its part is of no use, and the file has its name: nobody would ever go on with it.
            if let known, known.version == nil { try await forget(known, in: folder) }
            throw FileError.exists("\(folder.path)/\(FileNameText.text(name))")
        }
        let transfer: RemoteTransfer
        do {
            transfer = try await requestDownload(remote, version: known?.version)
        } catch let failure as RemoteFailure where failure.code == FailureCode.sourceChanged && known != nil {
            if let known { try await forget(known, in: folder) }
            return try await downloadFresh(remote, as: name, to: folder, replacing: replacing)
        }
        return try await ending(transfer) {
            try await fetch(transfer, known, remote, as: name, to: folder, replacing: replacing)
        }
    }

    /// Ends a transfer at the computer where `body` throws: there it would count among this device's until it is idle for long.
    private func ending(_ transfer: RemoteTransfer, _ body: () async throws -> TransferReport) async throws
        -> TransferReport
    {
        do {
            return try await body()
        } catch {
            await end(transfer)
            throw error
        }
    }

    private func downloadFresh(_ remote: String, as name: [UInt8], to folder: LocalFolder, replacing: Bool)
        async throws -> TransferReport
    {
        let transfer = try await requestDownload(remote, version: nil)
        return try await ending(transfer) {
            try await fetch(transfer, nil, remote, as: name, to: folder, replacing: replacing)
        }
    }

    /// - Parameter before: The transfer that read the file so far: the checksum goes on with its key.
    func requestDownload(
        _ remote: String,
        version: String?,
        continuing before: RemoteTransfer? = nil
    ) async throws -> RemoteTransfer {
        let checksumKey = before?.checksumKey ?? ChecksumMethod.newKey()
        var params = RequestDownload(path: remote)
        params.chunkSize = tuning.chunkSize
        params.checksumKey = checksumKey
        params.version = version
        let begun = try await call(FileMethods.requestDownload, params)
        return RemoteTransfer(begun, checksumKey: checksumKey, frameSize: tuning.frameSize)
    }

    private func fetch(
        _ transfer: RemoteTransfer,
        _ known: TransferRecord?,
        _ remote: String,
        as name: [UInt8],
        to folder: LocalFolder,
        replacing: Bool
    ) async throws -> TransferReport {
        let receiver = try await work.run { [journal, desktop, time, tuning, work] in
            let fresh = TransferRecord(
                id: TransferID().hexadecimal,
                desktop: desktop,
                direction: .download,
                remotePath: remote,
                localFolder: folder.path,
                localName: Data(name),
                size: transfer.size,
                version: transfer.version,
                beganAt: time.date
            )
            return try DownloadReceiver.open(
                known,
                orMaking: fresh,
                in: folder,
                checksumMethod: transfer.checksumMethod,
                journal: journal,
                batchSize: tuning.batchSize,
                work: work
            )
        }
        var done = receiver.received.count
        tell(TransferProgress(direction: .download, path: remote, done: done, total: transfer.size))
        let hasGrown: Bool
        do {
            try await forEach(transfer.chunks(without: receiver.received), atATime: 16) { chunk in
                try await self.fetch(chunk, of: transfer, into: receiver)
            } take: { count in
                done = min(transfer.size, done + count)
                tell(TransferProgress(direction: .download, path: remote, done: done, total: transfer.size))
            }
            let completed = try await remoteCompletion(transfer)
            hasGrown = completed?.hasGrown ?? false
            try await work.run {
                try receiver.finish(
                    checksum: completed?.checksum,
                    replacing: replacing,
                    permissions: transfer.permissions,
                    modifiedMilliseconds: transfer.modifiedMilliseconds
                )
            }
        } catch {
            try await work.finish { try receiver.keep(after: error) }
            throw error
        }
        return TransferReport(
            files: 1,
            bytes: transfer.size,
            grown: hasGrown ? [remote] : nil,
            path: folder.path + "/" + FileNameText.text(name)
        )
    }

    /// Nil from a desktop that knows no checksums.
    func remoteChecksum(_ transfer: RemoteTransfer) async throws -> String? {
        try await remoteCompletion(transfer)?.checksum
    }

    /// The answer with a checksum; nil from a desktop that knows none.
    private func remoteCompletion(_ transfer: RemoteTransfer) async throws -> DownloadCompleted? {
        guard transfer.version != nil else { return nil }
        let method = FileMethods.completeDownload
        let answer = try await call(method, NamedTransfer(transfer.text), timeout: Self.time(for: transfer.size))
        guard answer.checksum != nil else { throw TransferError.malformedAnswer(method: method.name) }
        return answer
    }

    private func forget(_ record: TransferRecord, in folder: LocalFolder) async throws {
        try await work.run { [journal] in
            try folder.remove(record.partName)
            try journal.remove(record.id)
        }
    }

    private nonisolated func fetch(_ chunk: Range<Int64>, of transfer: RemoteTransfer, into receiver: DownloadReceiver)
        async throws -> Int64
    {
        let count = chunk.count
        try await window.acquire(count)
        do {
            let bytes = try await part(chunk, of: transfer)
            try await work.run { try receiver.take(bytes, at: chunk.lowerBound) }
        } catch {
            await window.release(count)
            throw error
        }
        await window.release(count)
        return Int64(count)
    }

    /// Asks for a part of a file; whole when this returns.
    nonisolated func part(_ chunk: Range<Int64>, of transfer: RemoteTransfer) async throws -> ArraySlice<UInt8> {
        let bytes: ArraySlice<UInt8>
        if transfer.usesFrames, let exchange {
            let want = TransferFrame.Content.want(count: chunk.count)
            let frame = TransferFrame(transfer: transfer.id, offset: chunk.lowerBound, content: want)
            guard case .data(let data) = try await exchange.answer(to: frame) else {
                throw TransferError.malformedAnswer(method: "a file's frame")
            }
            bytes = data
        } else {
            let index = chunk.lowerBound / transfer.chunkSize
            let params = DownloadChunk(transferID: transfer.text, index: index)
            bytes = Array(try await call(FileMethods.downloadChunk, params).bytes)[...]
        }
        guard bytes.count == chunk.count else {
            throw TransferError.malformedAnswer(method: FileMethods.downloadChunk.name)
        }
        return bytes
    }
}
