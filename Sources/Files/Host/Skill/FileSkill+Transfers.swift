import Commands
import Files
import Foundation
import Kernel
import Transfers

extension FileSkill {
    func requestUpload(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let name = FileNameText.bytes(try params.text("fileName", limit: 1024))
        try FileNameText.check(name)
        let size = try params.integer("fileSize", in: 0...TransferLimits.fileSize)
        let metadata = RemoteParameters(params.value["metadata"] ?? .null)
        let folderNames = metadata.has("targetDir") ? metadata : params
        let request = UploadRequest(
            folder: try await uploadFolder(folderNames.optionalText("targetDir", limit: FileRoots.pathLimit)),
            name: name,
            size: size,
            checksum: try checksum(params),
            checksumKey: try checksumKey(params).map { Data($0) },
            source: try params.optionalText("source", limit: 256),
            chunkSize: Int(
                try params.optionalInteger("chunkSize", in: TransferLimits.chunks)
                    ?? Int64(TransferLimits.documentedChunk)
            ),
            replaces: try params.flag("overwrite"),
            permissions: try params.optionalInteger("permissions", in: 0...0o777).map(UInt32.init),
            modifiedMilliseconds: try params.optionalInteger("modified", in: 0...253_402_300_799_999),
            isResumable: try params.flag("resumable"),
            resume: try params.optionalText("resume", limit: 64).flatMap(TransferID.init(text:))
        )
        let others = await downloads.count(of: caller.id)
        let (id, record) = try await uploads.begin(request, of: caller.id, others: others)
        return [
            "success": true, "transferId": .string(id.text(.upload)), "chunkSize": .integer(Int64(record.chunkSize)),
            "totalChunks": .integer(Self.chunks(record.size, record.chunkSize)), "resumeSupported": true,
            "received": Self.ranges(record.received), "frames": .bool(frames != nil),
            "path": .string(Self.targetText(record)), "checksumMethod": Self.methodName(record.checksumKey),
        ]
    }

    /// Without a word about it, what is sent goes where a browser would put it.
    private func uploadFolder(_ text: String?) async throws -> FileLocation {
        if let text, !text.isEmpty { return try access.roots.location(of: text) }
        let downloads = try access.roots.location(of: "~/Downloads")
        return try await work.run { [access] in
            do {
                return try access.status(of: downloads, followingLink: true).kind == .folder
                    ? downloads : access.roots.home
            } catch FileError.notFound {
                return access.roots.home
            }
        }
    }

    func uploadChunk(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let upload = try await uploads.upload(try transfer(params, .upload), of: caller.id)
        let record = upload.record
        let total = Self.chunks(record.size, record.chunkSize)
        guard total > 0 else { throw TransferError.badChunk("the file is empty") }
        let index = try params.integer("chunkIndex", in: 0...(total - 1))
        let text = try params.text("chunkData", limit: Int(TransferLimits.chunks.upperBound) * 4 / 3 + 4)
        guard let data = Data(base64Encoded: text) else {
            throw RemoteFailure.badParameter("chunkData", "base64")
        }
        let offset = index * Int64(record.chunkSize)
        let expected = min(Int64(record.chunkSize), record.size - offset)
        guard Int64(data.count) == expected else {
            throw RemoteFailure.badParameter("chunkData", "the \(expected) bytes of chunk \(index)")
        }
        let report = try await upload.write(Array(data)[...], at: offset)
        let received = Self.receivedChunks(report)
        return [
            "success": true, "received": .integer(received),
            "progress": Self.progress(report.written.count, of: record.size),
            "remainingChunks": .integer(total - received), "chunkIndex": .integer(index),
            "totalChunks": .integer(total),
        ]
    }

    func completeUpload(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let id = try transfer(params, .upload)
        let record = try await uploads.complete(id, of: caller.id, checksum: try checksum(params))
        return [
            "success": true, "transferId": .string(id.text(.upload)), "path": .string(Self.targetText(record)),
            "filePath": .string(Self.targetText(record)), "fileName": .string(FileNameText.text(record.name)),
            "fileSize": .integer(record.size), "size": .integer(record.size),
            "checksum": record.checksum.map { .string($0) } ?? .null,
        ]
    }

    func requestDownload(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let location = try requiredLocation(params, ["filePath", "path"])
        let chunkSize = try params.optionalInteger("chunkSize", in: TransferLimits.chunks)
        let checksumKey = try checksumKey(params)
        let download = try await downloads.begin(
            location,
            name: try params.optionalText("fileName", limit: 1024),
            version: try params.optionalText("version", limit: 256),
            chunkSize: Int(chunkSize ?? Int64(TransferLimits.documentedChunk)),
            checksumMethod: ChecksumMethod(key: checksumKey),
            of: caller.id,
            others: await uploads.count(of: caller.id)
        )
        let size = download.status.size
        return [
            "success": true, "transferId": .string(download.id.text(.download)), "fileName": .string(download.name),
            "fileSize": .integer(size), "chunkSize": .integer(Int64(download.chunkSize)),
            "totalChunks": .integer(Self.chunks(size, download.chunkSize)), "checksum": .null,
            "resumeSupported": true, "version": .string(download.status.version), "frames": .bool(frames != nil),
            "modified": .integer(FileAnswer.milliseconds(download.status.modifiedNanoseconds)),
            "permissions": .integer(Int64(download.status.permissions & 0o777)), "path": .string(download.path),
            "checksumMethod": Self.methodName(checksumKey),
        ]
    }

    func downloadChunk(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let download = try await downloads.download(try transfer(params, .download), of: caller.id)
        let total = Self.chunks(download.status.size, download.chunkSize)
        guard total > 0 else { throw TransferError.badChunk("the file is empty") }
        let index = try params.integer("chunkIndex", in: 0...(total - 1))
        let offset = index * Int64(download.chunkSize)
        let count = min(Int64(download.chunkSize), download.status.size - offset)
        let bytes = try await download.read(at: offset, count: Int(count))
        return [
            "success": true, "chunkData": .string(Data(bytes).base64EncodedString()), "chunkSize": .integer(count),
            "chunkIndex": .integer(index), "isLastChunk": .bool(index == total - 1),
            "progress": Self.progress(offset + count, of: download.status.size),
        ]
    }

    /// Says the checksum of the whole file, and forgets the transfer.
    func completeDownload(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let id = try transfer(params, .download)
        let download = try await downloads.download(id, of: caller.id)
        let checksum = try await download.checksum()
        try await downloads.remove(id, of: caller.id)
        return [
            "success": true, "checksum": .string(checksum), "fileSize": .integer(download.status.size),
            "version": .string(download.status.version),
        ]
    }

    func cancelTransfer(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let text = try params.text("transferId", limit: 64)
        guard let id = TransferID(text: text) else { throw TransferError.unknown(id: text) }
        if text.hasPrefix(TransferDirection.upload.prefix) {
            try await uploads.cancel(id, of: caller.id)
        } else {
            try await downloads.remove(id, of: caller.id)
        }
        return ["success": true, "transferId": .string(text), "cancelled": true]
    }

    func listTransfers(_ caller: Caller) async throws -> JSONValue {
        let up: [JSONValue] = await uploads.reports(of: caller.id).map { report in
            let record = report.record
            return [
                "transferId": .string(TransferDirection.upload.prefix + record.id), "direction": "upload",
                "fileName": .string(FileNameText.text(record.name)), "fileSize": .integer(record.size),
                "progress": Self.progress(report.written.count, of: record.size),
                "status": .string(record.phase.rawValue), "path": .string(Self.targetText(record)),
                "chunkSize": .integer(Int64(record.chunkSize)),
            ]
        }
        let down: [JSONValue] = await downloads.list(of: caller.id).map { download in
            [
                "transferId": .string(download.id.text(.download)), "direction": "download",
                "fileName": .string(download.name), "fileSize": .integer(download.status.size),
                "progress": Self.progress(download.sent, of: download.status.size), "status": "sending",
                "path": .string(download.path), "chunkSize": .integer(Int64(download.chunkSize)),
                "version": .string(download.status.version),
            ]
        }
        return ["success": true, "transfers": .array(up + down), "total": .integer(Int64(up.count + down.count))]
    }

    private func transfer(_ params: RemoteParameters, _ direction: TransferDirection) throws -> TransferID {
        let text = try params.text("transferId", limit: 64)
        guard text.hasPrefix(direction.prefix), let id = TransferID(text: text) else {
            throw TransferError.unknown(id: text)
        }
        return id
    }

    private func checksum(_ params: RemoteParameters) throws -> String? {
        guard let text = try params.optionalText("checksum", limit: 128), !text.isEmpty else { return nil }
        guard let checksum = FileChecksum(text) else {
            throw RemoteFailure.badParameter("checksum", "a SHA-256 of 64 hexadecimal digits")
        }
        return checksum.text
    }

    private func checksumKey(_ params: RemoteParameters) throws -> [UInt8]? {
        guard let text = try params.optionalText("checksumKey", limit: 2 * ChecksumMethod.keySize) else { return nil }
        guard let key = Hexadecimal.decode(text), key.count == ChecksumMethod.keySize else {
            throw RemoteFailure.badParameter("checksumKey", "\(2 * ChecksumMethod.keySize) hexadecimal digits")
        }
        return key
    }

    private static func methodName(_ checksumKey: (some Sequence<UInt8>)?) -> JSONValue {
        .string(checksumKey == nil ? "sha256" : ChecksumMethod.blockTagsName)
    }

    private static func chunks(_ size: Int64, _ chunkSize: Int) -> Int64 {
        (size + Int64(chunkSize) - 1) / Int64(chunkSize)
    }

    /// In whole percent: readers exist that expect a whole number.
    private static func progress(_ count: Int64, of size: Int64) -> JSONValue {
        size == 0 ? 100 : .integer(Int64((Double(count) / Double(size) * 100).rounded(.down)))
    }

    private static func ranges(_ ranges: ByteRanges) -> JSONValue {
        .array(ranges.ranges.map { [.integer($0.lowerBound), .integer($0.upperBound)] })
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

    private static func targetText(_ record: UploadRecord) -> String {
        let folder = FileNameText.text(record.folder)
        return (folder == "/" ? "" : folder) + "/" + FileNameText.text(record.name)
    }
}
