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
    ///   - name: What it is to be called there; nil: as on the desktop.
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
        var report = TransferReport()
        var budget = Self.entryLimit
        let inner = try await work.run { try folder.folder(own, making: true) }
        let troubles = FolderTroubles {
            var params = ListFolder(path: path)
            params.limit = 1
            _ = try await self.call(FileMethods.list, params)
        }
        // The folder itself is no item of one: what it cannot be is said as an error.
        let entries = try await remoteEntries(path, budget: &budget)
        try await downloadTree(
            entries,
            of: path,
            to: inner,
            replacing: replacing,
            depth: 1,
            troubles,
            budget: &budget,
            into: &report
        )
        report.path = inner.path
        return report
    }

    private func downloadTree(
        _ entries: [FileEntry],
        of remote: String,
        to folder: LocalFolder,
        replacing: Bool,
        depth: Int,
        _ troubles: FolderTroubles,
        budget: inout Int,
        into report: inout TransferReport
    ) async throws {
        var fits: [FileEntry] = []
        for entry in entries {
            do {
                // The desktop's word for a name, which must be one: never a way to somewhere else.
                try FileNameText.check(entry.name)
                if entry.kind == .file || entry.kind == .folder {
                    fits.append(entry)
                } else {
                    report.skipped.append("\(entry.path(in: remote)) is \(entry.kind.words) and was left out.")
                }
            } catch {
                report.skipped.append("\(error)")
            }
        }
        var done = TransferReport()
        try await forEach(fits.filter { $0.kind == .file }, atATime: Self.filesAtATime) { entry in
            try await Self.item(entry.path(in: remote), troubles) {
                try await self.downloadFile(entry.path(in: remote), as: entry.name, to: folder, replacing: replacing)
            } isSame: {
                guard let mark = FileMark(entry) else { return false }
                let status = try await self.work.run { try folder.status(of: entry.name) }
                return status?.kind == .file && status.map(FileMark.init) == mark
            }
        } take: {
            done.add($0)
        }
        report.add(done)
        for entry in fits where entry.kind == .folder {
            let path = entry.path(in: remote)
            var inner: (entries: [FileEntry], folder: LocalFolder)?
            let left = budget
            let opened = try await Self.item(path, troubles) {
                guard depth < Self.depthLimit else {
                    throw FileError.system(path, reason: "its folders are too deep")
                }
                var rest = left
                let entries = try await self.remoteEntries(path, budget: &rest)
                inner = (entries, try await self.work.run { try folder.folder(entry.name, making: true) })
                return TransferReport()
            }
            report.add(opened)
            guard let inner else { continue }
            budget -= inner.entries.count
            try await downloadTree(
                inner.entries,
                of: path,
                to: inner.folder,
                replacing: replacing,
                depth: depth + 1,
                troubles,
                budget: &budget,
                into: &report
            )
        }
    }

    private func remoteEntries(_ path: String, budget: inout Int) async throws -> [FileEntry] {
        var entries: [FileEntry] = []
        var params = ListFolder(path: path)
        params.showsHidden = true
        params.isCompact = true
        while true {
            let page = try await call(FileMethods.list, params)
            budget -= page.entries.count
            guard budget >= 0 else { throw FileError.tooManyEntries(path, limit: Self.entryLimit) }
            entries += page.entries
            guard let next = try page.nextOffset(after: params.offset) else { return entries }
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
            // What was written to while it was read may be whole by now.
            return try await transfer()
        }
    }

    private static func isChange(_ error: any Error) -> Bool {
        let code = (error as? RemoteFailure)?.code ?? (error as? TransferError)?.code
        return code == FailureCode.sourceChanged
    }

    private func downloadOnce(_ remote: String, as name: [UInt8], to folder: LocalFolder, replacing: Bool)
        async throws -> TransferReport
    {
        let key = "down \(folder.path)/\(FileNameText.text(name))"
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

    /// - Parameter before: What read the file so far: the checksum goes on with its key.
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

    /// With a checksum; nil from a desktop that knows none.
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
