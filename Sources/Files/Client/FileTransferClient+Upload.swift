import Commands
import Foundation
import Kernel
import Transfers

extension FileTransferClient {
    /// Sends a file, or a folder with all in it.
    ///
    /// - Parameters:
    ///   - local: A path on this device. A link is followed, and sent under its own name.
    ///   - folder: A folder of the desktop; empty: where it puts what it is sent.
    ///   - replacing: Whether files there may be replaced.
    /// - Throws: ``FileError`` about this device, ``TransferError``, ``RemoteFailure`` when the desktop refused.
    public func upload(_ local: String, to folder: String, replacing: Bool = false) async throws -> TransferReport {
        let (parent, entry, sentName) = try await work.run { try Self.named(local) }
        switch entry.knownKind {
        case .file?:
            return try await uploadFile(entry.name, as: sentName, in: parent, to: folder, replacing: replacing)
        case .folder?:
            // The folder itself is no item of one: what it cannot be is said as an error.
            let opened = try await opened(entry, as: sentName, in: parent, to: folder.isEmpty ? "~" : folder)
            let target = opened.pair.remote
            let troubles = FolderTroubles {
                _ = try await self.call(FileMethods.createFolder, CreateFolder(path: target))
            }
            var report = try await walk(from: opened, by: uploading(replacing, troubles))
            report.path = target
            return report
        case nil: throw FileError.notFound(local)
        case let kind?: throw FileError.notOrdinary(local, kind)
        }
    }

    private func uploading(_ replacing: Bool, _ troubles: FolderTroubles) -> FolderTransfer<LocalEntry> {
        FolderTransfer(
            open: { try await self.opened($0, as: $0.name, in: $1.local, to: $1.remote) },
            batch: { try await self.uploadBatch($0, in: $1, replacing: replacing) },
            file: {
                try await self.uploadFile($0.name, as: $0.name, in: $1.local, to: $1.remote, replacing: replacing)
            },
            isSame: { try await self.isSame($0.name, in: $1.local, asIn: $1.remote) },
            troubles: troubles
        )
    }

    /// Throws away what interrupted transfers of a file, or of everything in a folder, left: of uploads at the computer, of downloads on this device.
    ///
    /// - Parameter local: An absolute path on this device, of a download where it was to be; nothing needs to be there any more.
    /// - Returns: How many they were.
    /// - Throws: ``TransferError/busy`` while one of them is under way; as ``upload(_:to:replacing:)``.
    public func discard(_ local: String) async throws -> Int {
        // A link may be gone by now, or lead elsewhere: what was sent by its own path is found all the same.
        let target = try await work.run { (try? LocalFolder.target(of: local)) ?? local }
        let records = try await unfinished().filter { record in
            let path = record.localFile
            return [local, target].contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        guard records.allSatisfy({ !isUnderWay($0) }) else { throw TransferError.busy }
        let (uploads, downloads) = (
            records.filter { $0.direction == .upload }, records.filter { $0.direction != .upload }
        )
        try await work.run { [journal] in
            for record in downloads {
                // Its folder may be gone by now, and the part with it.
                let folder = try? LocalFolder.open(record.localFolder)
                if try folder?.status(of: record.partName) != nil { try folder?.remove(record.partName) }
                try journal.remove(record.id)
            }
        }
        // The computer need not be there for what only this device has.
        guard !uploads.isEmpty else { return downloads.count }
        let paths = Set(uploads.map(\.remotePath))
        let list = try await call(FileMethods.listTransfers, NoParameters())
        for transfer in list.transfers
        where transfer.direction == .upload && transfer.status != "done" && paths.contains(transfer.path) {
            _ = try await call(FileMethods.cancelTransfer, NamedTransfer(transfer.transferID))
        }
        try await work.run { [journal] in for record in uploads { try journal.remove(record.id) } }
        return records.count
    }

    /// What a path that the person typed stands for, and the name that it is to have at the computer.
    private static func named(_ local: String) throws(FileError) -> (LocalFolder, LocalEntry, sentName: [UInt8]) {
        let (typed, sentName) = try parent(of: local)
        let status = try typed.status(of: sentName)
        guard status?.kind == .link else { return (typed, LocalEntry(name: sentName, status: status), sentName) }
        let (parent, name) = try parent(of: LocalFolder.target(of: local))
        return (parent, LocalEntry(name: name, status: try parent.status(of: name)), sentName)
    }

    private static func parent(of local: String) throws(FileError) -> (LocalFolder, [UInt8]) {
        let trimmed = local.count > 1 && local.hasSuffix("/") ? String(local.dropLast()) : local
        let bytes = FileNameText.bytes(trimmed)
        let name = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        try FileNameText.check(name)
        // By scalars: what escapes a byte may join the letter before it to one character.
        let above = String(trimmed.unicodeScalars.dropLast(FileNameText.text(name).unicodeScalars.count))
        return (try LocalFolder.open(above.isEmpty ? "." : above), name)
    }

    /// Lists a folder of this device, and makes it at the computer.
    ///
    /// - Parameter name: Its name there.
    private func opened(_ entry: LocalEntry, as name: [UInt8], in folder: LocalFolder, to remote: String) async throws
        -> OpenedFolder<LocalEntry>
    {
        let (inner, entries) = try await work.run {
            let inner = try folder.folder(entry.name)
            let names = try inner.names(limit: Self.entryLimit)
            return (inner, try names.map { LocalEntry(name: $0, status: try inner.status(of: $0)) })
        }
        let base = remote.contains("/") || remote == "~" ? remote : "./" + remote
        let path = base + "/" + FileNameText.text(name)
        let permissions = entry.status.map { $0.permissions & 0o777 }
        let created = try await call(FileMethods.createFolder, CreateFolder(path: path, permissions: permissions))
        let pair = FolderPair(local: inner, remote: created.path.isEmpty ? path : created.path)
        return OpenedFolder(pair: pair, entries: entries, terms: terms(created.batch))
    }

    private func isSame(_ name: [UInt8], in folder: LocalFolder, asIn remote: String) async throws -> Bool {
        let entry = try await call(FileMethods.info, NamedFile(path: Self.path(of: name, in: remote))).file
        guard let entry, !entry.isFolder, let mark = FileMark(entry) else { return false }
        return try await work.run { try folder.status(of: name) }.map(FileMark.init) == mark
    }

    /// - Parameter sentName: Its name at the computer.
    private func uploadFile(
        _ name: [UInt8],
        as sentName: [UInt8],
        in folder: LocalFolder,
        to remote: String,
        replacing: Bool
    ) async throws -> TransferReport {
        try await continuing {
            try await uploadOnce(name, as: sentName, in: folder, to: remote, replacing: replacing)
        }
    }

    private func uploadOnce(
        _ name: [UInt8],
        as sentName: [UInt8],
        in folder: LocalFolder,
        to remote: String,
        replacing: Bool
    ) async throws -> TransferReport {
        let text = FileNameText.text(sentName)
        let key = Self.uploadKey(name, in: folder, to: remote)
        try claim(key)
        defer { release(key) }
        let (file, status, holes) = try await work.run {
            let file = try folder.file(name)
            return (file, try file.status(), file.holes())
        }
        var params = RequestUpload(fileName: text, fileSize: status.size)
        params.holes = FileHoles.believed(holes, in: status.size) ?? ByteRanges()
        params.folder = remote
        params.source = status.version
        params.replaces = replacing
        params.permissions = status.permissions & 0o777
        if TransferLimits.modified.contains(status.modifiedMilliseconds) {
            params.modifiedMilliseconds = status.modifiedMilliseconds
        }
        let (transfer, said) = try await requestUpload(params)
        let path = !said.isEmpty ? said : remote.isEmpty ? text : remote + "/" + text
        let kept = try await work.run { [journal] in
            if let known = try self.known(.upload, path, name, in: folder) { return known }
            let record = self.record(.upload, path, name, in: folder, size: status.size, version: status.version)
            try journal.save(record)
            return record
        }
        let digest = SequentialDigest(
            transfer.checksumMethod,
            of: file,
            size: status.size,
            holes: params.holes,
            path: text
        )
        var done = transfer.received.count
        tell(.upload, path, done, of: status.size)
        try await forEach(transfer.chunks(without: transfer.received), atATime: 16) { chunk in
            try await self.send(chunk, of: file, digest, to: transfer)
        } take: { count in
            done = min(status.size, done + count)
            tell(.upload, path, done, of: status.size)
        }
        guard try await work.run({ try file.status().version }) == status.version else {
            _ = try await call(FileMethods.cancelTransfer, NamedTransfer(transfer.text))
            throw TransferError.sourceChanged("\(folder.path)/\(text)")
        }
        let checksum = try await work.run { try digest.finish() }
        let place = try await complete(transfer, checksum: checksum)
        try await work.run { [journal] in try journal.remove(kept.id) }
        return TransferReport(files: 1, bytes: status.size, path: place ?? path)
    }

    /// Asks the computer to take a file, or to go on with one.
    ///
    /// - Parameter wanted: What the person wants of it; how it travels is added.
    /// - Returns: Also the path that the computer says; empty where it says none.
    func requestUpload(_ wanted: RequestUpload) async throws -> (transfer: RemoteTransfer, path: String) {
        let key = ChecksumMethod.newKey()
        var params = wanted
        params.isResumable = true
        params.chunkSize = tuning.chunkSize
        params.checksumKey = key
        let begun = try await call(FileMethods.requestUpload, params)
        let frameSize = tuning.frameSize
        let transfer = try RemoteTransfer(begun, size: wanted.fileSize, checksumKey: key, frameSize: frameSize)
        return (transfer, begun.path)
    }

    /// Ends an upload whose bytes are all there.
    ///
    /// - Returns: Where the computer has put it; nil where it does not say it.
    func complete(_ transfer: RemoteTransfer, checksum: String?) async throws -> String? {
        try await call(
            FileMethods.completeUpload,
            CompleteUpload(transferID: transfer.text, checksum: checksum),
            timeout: Self.time(for: transfer.size)
        ).path
    }

    private nonisolated func send(
        _ chunk: Range<Int64>,
        of file: LocalFile,
        _ digest: SequentialDigest,
        to transfer: RemoteTransfer
    ) async throws -> Int64 {
        let count = chunk.count
        try await window.with(count) {
            try await hand(count, at: chunk.lowerBound, to: transfer) {
                let bytes = try file.read(at: chunk.lowerBound, count: count)
                guard bytes.count == count else { throw TransferError.sourceChanged("The file") }
                // What a part that is read a second time brings is known already.
                try digest.take(bytes[...], at: chunk.lowerBound)
                return bytes
            }
        }
        return Int64(count)
    }

    /// Hands over a part of a file; the computer has it when this returns.
    ///
    /// - Parameter read: Gives exactly `count` bytes, on a thread that may block; maybe twice.
    nonisolated func hand(
        _ count: Int,
        at offset: Int64,
        to transfer: RemoteTransfer,
        reading read: @escaping @Sendable () throws -> [UInt8]
    ) async throws {
        if transfer.usesFrames, let link {
            wishForConnection(transfer)
            try await link.send(count, at: offset, of: transfer.id, reading: read)
        } else {
            let bytes = try await work.run(read)
            let index = offset / transfer.chunkSize
            let params = UploadChunk(transferID: transfer.text, index: index, bytes: Data(bytes))
            try await sessionWindow.with(count) { _ = try await call(FileMethods.uploadChunk, params) }
        }
    }
}
