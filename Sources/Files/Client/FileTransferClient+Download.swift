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
    ///   - mask: The umask of the person who fetches it; nil: what systems begin with, 0o022.
    /// - Throws: ``FileError`` about this device, ``TransferError``, ``RemoteFailure`` when the desktop refused.
    public func download(
        _ remote: String,
        to local: String,
        as name: String? = nil,
        replacing: Bool = false,
        mask: UInt32? = nil
    ) async throws -> TransferReport {
        let folder = try await work.run { try LocalFolder.open(local, mask: mask ?? ArrivingMode.usualMask) }
        let information = try await call(FileMethods.info, NamedFile(path: remote))
        guard let file = information.file else { throw FileError.notFound(remote) }
        let path = file.path.isEmpty ? remote : file.path
        let own = name.map(FileNameText.bytes) ?? file.name
        try FileNameText.check(own)
        guard file.isFolder else { return try await downloadFile(path, as: own, to: folder, replacing: replacing) }
        // The folder itself is no item of one: what it cannot be is said as an error.
        let opened = try await opened(path, as: own, permissions: file.permissions, in: folder)
        let troubles = FolderTroubles {
            var params = ListFolder(path: path)
            params.limit = 1
            _ = try await self.call(FileMethods.list, params)
        }
        var report = try await walk(from: opened, by: downloading(replacing, troubles))
        report.path = opened.pair.local.path
        return report
    }

    private func downloading(_ replacing: Bool, _ troubles: FolderTroubles) -> FolderTransfer<FileEntry> {
        FolderTransfer(
            open: {
                try await self.opened($0.path(in: $1), as: $0.name, permissions: $0.permissions, in: $1.local)
            },
            batch: { try await self.downloadBatch($0, in: $1, replacing: replacing) },
            file: {
                try await self.downloadFile($0.path(in: $1), as: $0.name, to: $1.local, replacing: replacing)
            },
            isSame: { entry, folder in
                guard let mark = FileMark(entry) else { return false }
                let status = try await self.work.run { try folder.local.status(of: entry.name) }
                return status?.kind == .file && status.map(FileMark.init) == mark
            },
            troubles: troubles
        )
    }

    /// Lists a folder of the computer, and makes it here.
    private func opened(_ path: String, as name: [UInt8], permissions: UInt32?, in folder: LocalFolder) async throws
        -> OpenedFolder<FileEntry>
    {
        let (entries, terms) = try await remoteEntries(path)
        let inner = try await work.run { try folder.makeFolder(name, permissions: permissions) }
        return OpenedFolder(pair: FolderPair(local: inner, remote: path), entries: entries, terms: terms)
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
            guard let next = try page.nextOffset(after: params.offset) else { return (entries, terms(page.batch)) }
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
        } catch let error where error.transferCode == FailureCode.sourceChanged {
            // A file that was written to while it was read may be whole by now.
            return try await transfer()
        }
    }

    private func downloadOnce(_ remote: String, as name: [UInt8], to folder: LocalFolder, replacing: Bool)
        async throws -> TransferReport
    {
        let key = Self.downloadKey(name, in: folder)
        try claim(key)
        defer { release(key) }
        let known = try await work.run { try self.known(.download, remote, name, in: folder) }
        let place = "\(folder.path)/\(FileNameText.text(name))"
        let present = try await work.run { try folder.status(of: name) }
        if let known, let inode = known.inode, inode == present?.inode {
            // The crash came after the file got its name.
            try await forget(known, in: folder)
            return TransferReport(files: 1, bytes: known.size, path: place)
        }
        if !replacing, present != nil {
            // Without a version its part is of no use, and the file has its name: nobody would ever go on with it.
            if let known, known.version == nil { try await forget(known, in: folder) }
            throw FileError.exists(place)
        }
        let transfer: RemoteTransfer
        var continued = known
        do {
            transfer = try await requestDownload(remote, version: known?.version)
        } catch let failure as RemoteFailure where failure.code == FailureCode.sourceChanged && known != nil {
            if let known { try await forget(known, in: folder) }
            continued = nil
            transfer = try await requestDownload(remote, version: nil)
        }
        do {
            return try await fetch(transfer, continued, remote, as: name, to: folder, replacing: replacing)
        } catch {
            // There it would count among this device's until it is idle for long.
            await end(transfer)
            throw error
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
        let receiver = try await work.run { [journal, tuning, work] in
            let version = transfer.version
            var fresh = self.record(.download, remote, name, in: folder, size: transfer.size, version: version)
            fresh.received = transfer.holes
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
        tell(.download, remote, done, of: transfer.size)
        let hasGrown: Bool
        do {
            try await forEach(transfer.chunks(without: receiver.received), atATime: 16) { chunk in
                try await self.fetch(chunk, of: transfer, into: receiver)
            } take: { count in
                done = min(transfer.size, done + count)
                tell(.download, remote, done, of: transfer.size)
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
        try await window.with(chunk.count) {
            if transfer.usesFrames, let link {
                wishForConnection(transfer)
                try await link.fetch(chunk.count, at: chunk.lowerBound, of: transfer.id) {
                    try receiver.take($0, at: $1)
                }
            } else {
                let bytes = try await part(chunk, of: transfer)
                try await work.run { try receiver.take(bytes, at: chunk.lowerBound) }
            }
        }
        return Int64(chunk.count)
    }

    /// Parts go directly as soon as there is a connection; they do not wait for it.
    nonisolated func wishForConnection(_ transfer: RemoteTransfer) {
        if transfer.usesConnections { dialer?.wish(for: transfer.id) }
    }

    /// Asks for a part of a file; whole when this returns.
    nonisolated func part(_ chunk: Range<Int64>, of transfer: RemoteTransfer) async throws -> ArraySlice<UInt8> {
        let bytes: ArraySlice<UInt8>
        if transfer.usesFrames, let link {
            wishForConnection(transfer)
            let part = TakenPart()
            try await link.fetch(chunk.count, at: chunk.lowerBound, of: transfer.id) { data, _ in part.take(data) }
            bytes = part.bytes
        } else {
            let index = chunk.lowerBound / transfer.chunkSize
            let params = DownloadChunk(transferID: transfer.text, index: index)
            bytes = try await sessionWindow.with(chunk.count) {
                Array(try await call(FileMethods.downloadChunk, params).bytes)[...]
            }
        }
        guard bytes.count == chunk.count else {
            throw TransferError.malformedAnswer(method: FileMethods.downloadChunk.name)
        }
        return bytes
    }
}
