import Commands
import Files
import Foundation
import Kernel
import Transfers

/// Many small files in one exchange. Source: `docs/protocol.md`, "Many small files".
extension FileSkill {
    func uploadFiles(_ params: UploadFiles, _ caller: Caller) async throws -> FilesUploaded {
        let location = try location(params.folder)
        return try await batch(.upload, location, of: caller) { [self] earlyEnd in
            let folder = try access.openArrivals(location)
            var outcomes = params.files.map { file -> FilesUploaded.Outcome in
                guard let file else { return .refused(code: FailureCode.badParameters) }
                return !params.replaces && Self.isThere(file, in: folder) ? .present : .arrived
            }
            let wanted = outcomes.indices.filter { outcomes[$0] == .arrived }
            let files = wanted.compactMap { params.files[$0] }
            let records = files.map { record(of: $0, in: location, replacing: params.replaces, caller) }
            let failures = try FileBatch(
                files,
                records,
                in: folder,
                replacing: params.replaces,
                earlyEnd: earlyEnd,
                begin: journal.saveAll,
                end: journal.removeAll
            ).run()
            for (index, failure) in zip(wanted, failures) {
                if let failure { outcomes[index] = .refused(code: Self.code(of: failure)) }
            }
            return FilesUploaded(files: outcomes)
        }
    }

    /// Whether a file of this name, size and date is there: one that is sent again, because no answer came, is not sent twice.
    private static func isThere(_ file: WholeFile, in folder: any ArrivalFolder) -> Bool {
        guard let modified = file.modifiedMilliseconds else { return false }
        do throws(FileError) {
            try FileNameText.check(file.name)
            guard let status = try folder.status(of: file.name), status.kind == .file else { return false }
            return FileMark(status) == FileMark(size: Int64(file.content.count), modifiedMilliseconds: modified)
        } catch {
            // An error of the name is reported where the file would get it.
            return false
        }
    }

    /// The journal's record of a file until it has its name, so that a crash leaves no part behind. Such a part is never resumed: its record
    /// is as old as can be, so that the next start removes both, and it counts among no device's transfers.
    private func record(of file: WholeFile, in folder: FileLocation, replacing: Bool, _ caller: Caller) -> UploadRecord
    {
        UploadRecord(
            id: TransferID().hexadecimal,
            caller: caller.id,
            folder: Data(access.roots.path(of: folder)),
            name: Data(file.name),
            size: Int64(file.content.count),
            chunkSize: FileLimits.documentedChunk,
            replaces: replacing,
            permissions: file.permissions,
            modifiedMilliseconds: file.modifiedMilliseconds,
            isResumable: false,
            touchedAt: .distantPast
        )
    }

    private static func code(of error: any Error) -> Int {
        (error as? any ClassifiedError)?.facts.code ?? FailureCode.internalError
    }

    func downloadFiles(_ params: DownloadFiles, _ caller: Caller) async throws -> FilesDownloaded {
        let location = try location(params.folder)
        return try await batch(.download, location, of: caller) { [self] earlyEnd in
            var room = BatchTerms.most.bytes
            let files = try params.names.map { name -> FilesDownloaded.Outcome in
                try earlyEnd.check()
                do {
                    return try read(FileNameText.bytes(name), in: location, &room)
                } catch {
                    return .refused(code: Self.code(of: error))
                }
            }
            return FilesDownloaded(files: files)
        }
    }

    /// - Parameter room: Bytes that the answer still has room for.
    private func read(_ name: [UInt8], in folder: FileLocation, _ room: inout Int64) throws -> FilesDownloaded.Outcome {
        try FileNameText.check(name)
        let location = folder.appending(name)
        let file = try access.openFile(location)
        let status = try file.status()
        guard status.size <= room else { return .refused(code: FailureCode.quota) }
        let bytes = try file.read(at: 0, count: Int(status.size))
        // Looked at after the reading: what was read before a change is refused too, never half of each.
        guard Int64(bytes.count) == status.size, try file.status().version == status.version else {
            throw TransferError.sourceChanged(text(location))
        }
        room -= status.size
        return .file(
            bytes: Data(bytes),
            permissions: status.permissions & 0o777,
            modifiedMilliseconds: status.modifiedMilliseconds
        )
    }

    /// Runs an exchange off the cooperative threads, as one of its device's transfers.
    private func batch<Answer: Sendable>(
        _ direction: TransferDirection,
        _ folder: FileLocation,
        of caller: Caller,
        _ body: @escaping @Sendable (EarlyEnd) throws -> Answer
    ) async throws -> Answer {
        let batch = ActiveBatches.Batch(
            caller: caller.id,
            direction: direction,
            path: text(folder),
            beganAt: time.date
        )
        let others = await uploads.count(of: caller.id) + downloads.count(of: caller.id)
        try batches.begin(batch, others: others)
        defer { batches.remove(batch) }
        return try await withTaskCancellationHandler {
            let answer = try await parts.run { try body(batch.earlyEnd) }
            // Read before the right was taken, and not to be sent any more.
            try batch.earlyEnd.check()
            return answer
        } onCancel: {
            batch.earlyEnd.end(CancellationError())
        }
    }
}
