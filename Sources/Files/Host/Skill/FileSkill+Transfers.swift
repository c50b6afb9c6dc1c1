import Commands
import Files
import Foundation
import Kernel
import Rights
import Transfers

extension FileSkill {
    func requestUpload(_ params: RequestUpload, _ caller: Caller) async throws -> UploadBegun {
        // Who may only write would learn by a comparison what a file holds.
        guard params.basedOn == nil || caller.may(Right.fileRead) else {
            throw RemoteFailure(
                code: FailureCode.notAllowed,
                message: "Saving an edited file needs the right to read it as well. Allow it at the computer."
            )
        }
        let request = UploadRequest(params: params, folder: try await uploadFolder(params.folder))
        let others = await downloads.count(of: caller.id) + batches.count(of: caller.id)
        let (id, record) = try await uploads.begin(request, of: caller.id, others: others)
        var begun = UploadBegun(
            terms: terms(id, .upload, chunkSize: record.chunkSize, usesBlockTags: record.checksumKey != nil, caller),
            size: record.size,
            path: record.targetText,
            received: record.received
        )
        begun.isGuarded = record.basedOn != nil
        return begun
    }

    /// The folder of an upload; where the request names none, the one a browser would use.
    private func uploadFolder(_ path: String) async throws -> FileLocation {
        guard path.isEmpty else { return try location(path) }
        let downloads = try location("~/Downloads")
        return try await work.run { [access] in
            do {
                return try access.status(of: downloads, followingLink: true).kind == .folder
                    ? downloads : access.roots.home
            } catch FileError.notFound {
                return access.roots.home
            }
        }
    }

    func uploadChunk(_ params: UploadChunk, _ caller: Caller) async throws -> ChunkTaken {
        let upload = try uploads.upload(try Self.id(params.transferID, .upload), of: caller.id)
        let record = upload.record
        let (index, total, range) = try Self.chunk(params.index, of: record.size, record.chunkSize)
        guard params.bytes.count == range.count else {
            throw RemoteFailure.badParameter("chunkData", "the \(range.count) bytes of chunk \(index)")
        }
        let report = try await upload.write(Array(params.bytes)[...], at: range.lowerBound)
        return ChunkTaken(
            index: index,
            received: Self.receivedChunks(report),
            total: total,
            progress: Self.progress(report.written.count, of: record.size)
        )
    }

    func completeUpload(_ params: CompleteUpload, _ caller: Caller) async throws -> UploadCompleted {
        let id = try Self.id(params.transferID, .upload)
        let record = try await uploads.complete(id, of: caller.id, checksum: params.checksum)
        return UploadCompleted(
            transferID: id.text(.upload),
            path: record.targetText,
            fileName: FileNameText.text(record.name),
            fileSize: record.size,
            checksum: record.checksum
        )
    }

    func requestDownload(_ params: RequestDownload, _ caller: Caller) async throws -> DownloadBegun {
        let chunkSize = Int(params.chunkSize ?? Int64(FileLimits.documentedChunk))
        let download = try await downloads.begin(
            try location(params.path),
            name: params.fileName,
            version: params.version,
            chunkSize: chunkSize,
            checksumMethod: ChecksumMethod(key: params.checksumKey),
            of: caller.id,
            others: await uploads.count(of: caller.id) + batches.count(of: caller.id)
        )
        return DownloadBegun(
            terms: terms(
                download.id,
                .download,
                chunkSize: chunkSize,
                usesBlockTags: params.checksumKey != nil,
                caller
            ),
            fileName: download.name,
            path: download.path,
            status: download.status,
            holes: download.holes
        )
    }

    func downloadChunk(_ params: DownloadChunk, _ caller: Caller) async throws -> DownloadedChunk {
        let download = try downloads.download(try Self.id(params.transferID, .download), of: caller.id)
        let (index, total, range) = try Self.chunk(params.index, of: download.status.size, download.chunkSize)
        let bytes = try await download.read(at: range.lowerBound, count: range.count)
        return DownloadedChunk(
            bytes: Data(bytes),
            index: index,
            isLast: index == total - 1,
            progress: Self.progress(range.upperBound, of: download.status.size)
        )
    }

    /// Says the checksum of the whole file, and forgets the transfer.
    func completeDownload(_ params: NamedTransfer, _ caller: Caller) async throws -> DownloadCompleted {
        let id = try Self.id(params.transferID, .download)
        let download = try downloads.download(id, of: caller.id)
        let checksum = try await download.checksum()
        try await downloads.remove(id, of: caller.id)
        return DownloadCompleted(
            checksum: checksum.text,
            fileSize: download.status.size,
            version: download.status.version,
            hasGrown: checksum.hasGrown
        )
    }

    func cancelTransfer(_ params: NamedTransfer, _ caller: Caller) async throws -> TransferCancelled {
        let text = params.transferID
        guard let id = TransferID(text: text) else { throw TransferError.unknown(id: text) }
        if let arriving = try batches.arriving(id, of: caller.id) {
            batches.remove(arriving.batch)
        } else if text.hasPrefix(TransferDirection.upload.prefix) {
            try await uploads.cancel(id, of: caller.id)
        } else {
            try await downloads.remove(id, of: caller.id)
        }
        return TransferCancelled(transferID: text)
    }

    func listTransfers(_ caller: Caller) async -> TransferList {
        let up = await uploads.reports(of: caller.id).map { report in
            let record = report.record
            return TransferList.Transfer(
                TransferDirection.upload.prefix + record.id,
                .upload,
                fileName: FileNameText.text(record.name),
                fileSize: record.size,
                progress: Self.progress(report.written.count, of: record.size),
                status: record.phase.rawValue,
                path: record.targetText,
                chunkSize: Int64(record.chunkSize)
            )
        }
        let down = await downloads.list(of: caller.id).map { download in
            TransferList.Transfer(
                download.id.text(.download),
                .download,
                fileName: download.name,
                fileSize: download.status.size,
                progress: Self.progress(download.sent, of: download.status.size),
                status: "sending",
                path: download.path,
                chunkSize: Int64(download.chunkSize),
                version: download.status.version
            )
        }
        return TransferList(transfers: up + down)
    }

    private func terms(
        _ id: TransferID,
        _ direction: TransferDirection,
        chunkSize: Int,
        usesBlockTags: Bool,
        _ caller: Caller
    ) -> TransferTerms {
        TransferTerms(
            transferID: id.text(direction),
            chunkSize: Int64(chunkSize),
            usesFrames: outlet != nil,
            usesBlockTags: usesBlockTags,
            offersConnections: offersConnections(to: caller)
        )
    }

    /// Whether a phone may ask for a direct connection, which is agreed on in frames: only a session carries them.
    func offersConnections(to caller: Caller) -> Bool { outlet != nil && direct.isOn && caller.proof == .session }

    private static func id(_ text: String, _ direction: TransferDirection) throws(TransferError) -> TransferID {
        guard text.hasPrefix(direction.prefix), let id = TransferID(text: text) else { throw .unknown(id: text) }
        return id
    }

    /// A chunk of a file, how many there are, and the chunk's bytes in the file.
    private static func chunk(_ index: Int64?, of size: Int64, _ chunkSize: Int) throws -> (
        index: Int64, total: Int64, range: Range<Int64>
    ) {
        let total = chunks(size, chunkSize)
        guard total > 0 else { throw TransferError.badChunk("the file is empty") }
        guard let index, (0..<total).contains(index) else {
            throw RemoteFailure.badParameter("chunkIndex", "a whole number from 0 to \(total - 1)")
        }
        let offset = index * Int64(chunkSize)
        return (index, total, offset..<min(offset + Int64(chunkSize), size))
    }

    private static func chunks(_ size: Int64, _ chunkSize: Int) -> Int64 {
        (size + Int64(chunkSize) - 1) / Int64(chunkSize)
    }

    /// In whole percent: readers exist that expect a whole number.
    private static func progress(_ count: Int64, of size: Int64) -> Int64 {
        size == 0 ? 100 : Int64((Double(count) / Double(size) * 100).rounded(.down))
    }

    /// Chunks of which every byte is there.
    private static func receivedChunks(_ report: Upload.Report) -> Int64 {
        let size = Int64(report.record.chunkSize)
        return report.written.ranges.reduce(0) { sum, range in
            let first = (range.lowerBound + size - 1) / size
            let isEnd = range.upperBound == report.record.size
            let end = isEnd ? chunks(range.upperBound, report.record.chunkSize) : range.upperBound / size
            return sum + max(0, end - first)
        }
    }
}
