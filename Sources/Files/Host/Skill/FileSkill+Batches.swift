import Commands
import Files
import Foundation
import Kernel
import Transfers

/// Many small files in one exchange. Source: `docs/protocol.md`, "Many small files".
extension FileSkill {
    /// What is said to phones: contents travel apart only where frames carry them.
    var batchTerms: BatchTerms { outlet == nil ? .most : .most.withBundles }

    func uploadFiles(_ params: UploadFiles, _ caller: Caller) async throws -> FilesUploaded {
        if let id = params.transferID { return try await bring(id, caller) }
        let location = try location(params.folder)
        if let sizes = params.sizes { return try await announce(params, sizes, to: location, caller) }
        return try await batch(.upload, location, of: caller) { [self] earlyEnd in
            let folder = try access.openArrivals(location)
            var outcomes = params.files.map { file -> FilesUploaded.Outcome in
                guard let file else { return .refused(code: FailureCode.badParameters) }
                let size = file.content.count
                return !params.replaces && Self.isThere(file, size, in: folder) ? .present : .arrived
            }
            let wanted = outcomes.indices.filter { outcomes[$0] == .arrived }
            let files = wanted.compactMap { params.files[$0] }
            let brought = try bring(files, to: location, folder, replacing: params.replaces, caller, earlyEnd)
            for (index, outcome) in zip(wanted, brought) { outcomes[index] = outcome }
            return FilesUploaded(files: outcomes)
        }
    }

    /// Says which of the files are wanted, whose contents then travel apart.
    private func announce(_ params: UploadFiles, _ sizes: [Int], to location: FileLocation, _ caller: Caller)
        async throws -> FilesUploaded
    {
        guard outlet != nil, sizes.reduce(0, +) <= Int(BatchTerms.bundleLimit) else {
            throw RemoteFailure.badParameter("files", "files of \(BatchTerms.bundleLimit) bytes together at most")
        }
        let outcomes = try await parts.run { [access] in
            let folder = try access.openArrivals(location)
            return zip(params.files, sizes).map { file, size -> FilesUploaded.Outcome in
                guard let file else { return .refused(code: FailureCode.badParameters) }
                return !params.replaces && Self.isThere(file, size, in: folder) ? .present : .wanted
            }
        }
        let wanted = outcomes.indices.filter { outcomes[$0] == .wanted }
        guard !wanted.isEmpty else { return FilesUploaded(files: outcomes) }
        let size = wanted.reduce(0) { $0 + sizes[$1] }
        let bundle = ArrivingBundle(params, wanted: wanted, size: size, now: time.now)
        let batch = newBatch(.upload, location, of: caller, bundle)
        let others = await uploads.count(of: caller.id) + downloads.count(of: caller.id)
        // A phone that lost its right meanwhile has its calls cancelled, and then what is in the list ended.
        try Task.checkCancellation()
        try batches.begin(batch, others: others)
        return FilesUploaded(
            files: outcomes,
            transferID: batch.id.text(.upload),
            offersConnections: offersConnections(to: caller)
        )
    }

    /// Gives files their names whose contents have arrived apart. Whatever comes of it, the phone begins anew with what did not arrive.
    private func bring(_ text: String, _ caller: Caller) async throws -> FilesUploaded {
        guard let id = TransferID(text: text), let (batch, bundle) = try batches.arriving(id, of: caller.id) else {
            throw TransferError.unknown(id: text)
        }
        let files = try bundle.take()
        defer { batches.remove(batch) }
        let announced = bundle.announced
        let location = try location(announced.folder)
        return try await run(batch) { [self] earlyEnd in
            let folder = try access.openArrivals(location)
            return FilesUploaded(
                files: try bring(files, to: location, folder, replacing: announced.replaces, caller, earlyEnd)
            )
        }
    }

    /// Writes whole files and gives them their names. Blocks.
    private func bring(
        _ files: [WholeFile],
        to location: FileLocation,
        _ folder: any ArrivalFolder,
        replacing: Bool,
        _ caller: Caller,
        _ earlyEnd: EarlyEnd
    ) throws -> [FilesUploaded.Outcome] {
        try FileBatch(
            files,
            files.map { record(of: $0, in: location, replacing: replacing, caller) },
            in: folder,
            replacing: replacing,
            earlyEnd: earlyEnd,
            begin: journal.saveAll,
            end: journal.removeAll
        ).run().map { failure in failure.map { .refused(code: Self.code(of: $0)) } ?? .arrived }
    }

    /// Whether a file of this name, size and date is there: one that is sent again, because no answer came, is not sent twice.
    private static func isThere(_ file: WholeFile, _ size: Int, in folder: any ArrivalFolder) -> Bool {
        guard let modified = file.modifiedMilliseconds else { return false }
        do throws(FileError) {
            try FileNameText.check(file.name)
            guard let status = try folder.status(of: file.name), status.kind == .file else { return false }
            return FileMark(status) == FileMark(size: Int64(size), modifiedMilliseconds: modified)
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

    static func code(of error: any Error) -> Int {
        (error as? any ClassifiedError)?.facts.code ?? FailureCode.internalError
    }

    func downloadFiles(_ params: DownloadFiles, _ caller: Caller) async throws -> FilesDownloaded {
        let location = try location(params.folder)
        let isBundled = params.isBundled && outlet != nil
        let files = try await batch(.download, location, of: caller) { [self] earlyEnd in
            var room = isBundled ? BatchTerms.bundleLimit : BatchTerms.most.bytes
            return try params.names.map { name -> FilesDownloaded.Outcome in
                try earlyEnd.check()
                do {
                    return try read(FileNameText.bytes(name), in: location, &room, isBundled: isBundled)
                } catch {
                    return .refused(code: Self.code(of: error))
                }
            }
        }
        return isBundled ? try await bundled(files, of: location, caller) : FilesDownloaded(files: files)
    }

    /// The same files with their contents as the body of one download.
    private func bundled(_ files: [FilesDownloaded.Outcome], of location: FileLocation, _ caller: Caller)
        async throws -> FilesDownloaded
    {
        var body: [UInt8] = []
        let outcomes = files.map { outcome -> FilesDownloaded.Outcome in
            guard case .file(let bytes, let permissions, let modified) = outcome else { return outcome }
            body += bytes
            return .bundled(size: bytes.count, permissions: permissions, modifiedMilliseconds: modified)
        }
        guard !body.isEmpty else { return FilesDownloaded(files: outcomes) }
        let download = try await downloads.begin(
            BundledFile(bytes: body),
            path: text(location),
            of: caller.id,
            others: await uploads.count(of: caller.id) + batches.count(of: caller.id)
        )
        return FilesDownloaded(
            files: outcomes,
            transferID: download.id.text(.download),
            offersConnections: offersConnections(to: caller)
        )
    }

    /// - Parameters:
    ///   - room: Bytes that the answer still has room for.
    ///   - isBundled: Whether contents travel apart, where a file has to be small.
    private func read(_ name: [UInt8], in folder: FileLocation, _ room: inout Int64, isBundled: Bool) throws
        -> FilesDownloaded.Outcome
    {
        try FileNameText.check(name)
        let location = folder.appending(name)
        let file = try access.openFile(location)
        let status = try file.status()
        guard status.size <= room, !isBundled || status.size <= BatchTerms.smallSize else {
            return .refused(code: FailureCode.quota)
        }
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
        let batch = newBatch(direction, folder, of: caller)
        let others = await uploads.count(of: caller.id) + downloads.count(of: caller.id)
        try batches.begin(batch, others: others)
        defer { batches.remove(batch) }
        return try await run(batch, body)
    }

    private func newBatch(
        _ direction: TransferDirection,
        _ folder: FileLocation,
        of caller: Caller,
        _ bundle: ArrivingBundle? = nil
    ) -> ActiveBatches.Batch {
        ActiveBatches.Batch(
            caller: caller.id,
            direction: direction,
            path: text(folder),
            beganAt: time.date,
            bundle: bundle
        )
    }

    private func run<Answer: Sendable>(
        _ batch: ActiveBatches.Batch,
        _ body: @escaping @Sendable (EarlyEnd) throws -> Answer
    ) async throws -> Answer {
        try await withTaskCancellationHandler {
            let answer = try await parts.run { try body(batch.earlyEnd) }
            // Read before the right was taken, and not to be sent any more.
            try batch.earlyEnd.check()
            return answer
        } onCancel: {
            batch.earlyEnd.end(CancellationError())
        }
    }
}
