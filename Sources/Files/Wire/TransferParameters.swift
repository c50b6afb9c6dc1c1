package import Commands
package import Foundation
package import Kernel
package import Transfers

/// A file that is to be sent, and where it is to go.
package struct RequestUpload: MethodParameters, Hashable {
    /// The file's name, as ``FileNameText`` writes it.
    package var fileName: String
    /// Bytes, 0 to 2^50.
    package var fileSize: Int64
    /// Empty: where the computer puts what it is sent.
    package var folder = ""
    /// The file's checksum, as `FileChecksum` writes it; nil: said at the end.
    package var checksum: String?
    /// 32 bytes that a checksum of block tags is made with; nil: SHA-256.
    package var checksumKey: [UInt8]?
    /// The sender's words for the version of its file, of at most 256 bytes: the same upload again goes on.
    package var source: String?
    /// Bytes, 4096 to 393,216; nil: 65,536.
    package var chunkSize: Int64?
    package var replaces = false
    /// 0 to 0o777.
    package var permissions: UInt32?
    /// Milliseconds since 1970-01-01T00:00:00Z. On the wire `modified` from 0 on, else `modifiedTime`: an older computer refuses a
    /// `modified` before 1970, and passes over what it does not know.
    package var modifiedMilliseconds: Int64?
    /// Whether the sender knows how to go on: then the parts are kept for days instead of minutes.
    package var isResumable = false
    /// The id of an earlier transfer that is to go on.
    package var resume: TransferID?
    /// Parts of the file that are zeros: they need not be sent, nor stored. Within ``FileHoles``.
    package var holes = ByteRanges()
    /// What the content was made from: it replaces nothing else, and then always. Nil: whatever is there.
    package var basedOn: FileBase?

    package init(fileName: String, fileSize: Int64) {
        self.fileName = fileName
        self.fileSize = fileSize
    }

    /// - Throws: Also ``FileError/badName(_:)``.
    package init(wire: RemoteParameters) throws {
        fileName = try wire.text("fileName", limit: FileLimits.name)
        try FileNameText.check(FileNameText.bytes(fileName))
        fileSize = try wire.integer("fileSize", in: 0...TransferLimits.fileSize)
        let metadata = RemoteParameters(wire.value["metadata"] ?? .null)
        let folderNames = metadata.has("targetDir") ? metadata : wire
        folder = try folderNames.optionalText("targetDir", limit: FileLimits.path) ?? ""
        checksum = try wire.checksum()
        checksumKey = try wire.checksumKey()
        source = try wire.optionalText("source", limit: 256)
        chunkSize = try wire.optionalInteger("chunkSize", in: FileLimits.chunks)
        basedOn = try wire.value["basedOn"].flatMap { $0 == .null ? nil : try FileBase(wire: $0) }
        replaces = try wire.flag("overwrite") || basedOn != nil
        permissions = try wire.optionalInteger("permissions", in: 0...0o777).map(UInt32.init)
        let modified = try wire.optionalInteger("modified", in: TransferLimits.modified)
        let earlier = try wire.optionalInteger("modifiedTime", in: TransferLimits.modified)
        modifiedMilliseconds = modified ?? earlier
        isResumable = try wire.flag("resumable")
        resume = try wire.optionalText("resume", limit: FileLimits.transferID).flatMap(TransferID.init(text:))
        guard let said = ByteRanges(wire: wire.value["holes"]), let holes = FileHoles.believed(said, in: fileSize)
        else {
            throw RemoteFailure.badParameter("holes", "pairs of start and end in the file, at most \(FileHoles.limit)")
        }
        self.holes = holes
    }

    package var wire: JSONValue {
        .members([
            "fileName": .string(fileName), "fileSize": .integer(fileSize),
            "metadata": folder.isEmpty ? nil : ["targetDir": .string(folder)], "checksum": .text(checksum),
            "checksumKey": .text(checksumKey.map { Hexadecimal.encode($0) }), "source": .text(source),
            "chunkSize": .whole(chunkSize), "overwrite": .bool(replaces), "permissions": .whole(permissions),
            "modified": .whole(modifiedMilliseconds.flatMap { $0 < 0 ? nil : $0 }),
            "modifiedTime": .whole(modifiedMilliseconds.flatMap { $0 < 0 ? $0 : nil }),
            "resumable": isResumable ? true : nil, "resume": .text(resume?.text(.upload)),
            "holes": holes.count == 0 ? Optional.none : holes.wire, "basedOn": basedOn?.wire,
        ])
    }
}

/// A chunk of a file that is being sent.
package struct UploadChunk: MethodParameters, Hashable {
    /// The computer's id for the transfer.
    package var transferID: String
    /// From 0 on; nil for what is no whole number.
    package var index: Int64?
    /// The chunk's bytes: as many as the transfer's chunks have; the last one has the rest.
    package var bytes: Data

    package init(transferID: String, index: Int64, bytes: Data) {
        self.transferID = transferID
        self.index = index
        self.bytes = bytes
    }

    package init(wire: RemoteParameters) throws {
        transferID = try wire.transferID()
        index = wire.chunkIndex
        let text = try wire.text("chunkData", limit: Int(FileLimits.chunks.upperBound) * 4 / 3 + 4)
        guard let data = Data(base64Encoded: text) else { throw RemoteFailure.badParameter("chunkData", "base64") }
        bytes = data
    }

    package var wire: JSONValue {
        .members([
            "transferId": .string(transferID), "chunkIndex": .whole(index),
            "chunkData": .string(bytes.base64EncodedString()),
        ])
    }
}

/// The end of an upload.
package struct CompleteUpload: MethodParameters, Hashable {
    /// The computer's id for the transfer.
    package var transferID: String
    /// The sender's, as `FileChecksum` writes it.
    package var checksum: String?

    package init(transferID: String, checksum: String? = nil) {
        self.transferID = transferID
        self.checksum = checksum
    }

    package init(wire: RemoteParameters) throws {
        transferID = try wire.transferID()
        checksum = try wire.checksum()
    }

    package var wire: JSONValue { .members(["transferId": .string(transferID), "checksum": .text(checksum)]) }
}

/// A file that is wanted whole.
package struct RequestDownload: MethodParameters, Hashable {
    package var path: String
    /// Bytes, 4096 to 393,216; nil: 65,536.
    package var chunkSize: Int64?
    /// 32 bytes that a checksum of block tags is made with; nil: SHA-256.
    package var checksumKey: [UInt8]?
    /// The file name that the answer is to carry.
    package var fileName: String?
    /// The version that the asker has parts of; another one is refused.
    package var version: String?

    package init(path: String) { self.path = path }

    package init(wire: RemoteParameters) throws {
        path = try wire.requiredPath("filePath", "path")
        chunkSize = try wire.optionalInteger("chunkSize", in: FileLimits.chunks)
        checksumKey = try wire.checksumKey()
        fileName = try wire.optionalText("fileName", limit: FileLimits.name)
        version = try wire.optionalText("version", limit: 256)
    }

    package var wire: JSONValue {
        .members([
            "filePath": .string(path), "chunkSize": .whole(chunkSize),
            "checksumKey": .text(checksumKey.map { Hexadecimal.encode($0) }), "fileName": .text(fileName),
            "version": .text(version),
        ])
    }
}

/// A chunk of a file that is being fetched.
package struct DownloadChunk: MethodParameters, Hashable {
    /// The computer's id for the transfer.
    package var transferID: String
    /// From 0 on; nil for what is no whole number.
    package var index: Int64?

    package init(transferID: String, index: Int64) {
        self.transferID = transferID
        self.index = index
    }

    package init(wire: RemoteParameters) throws {
        transferID = try wire.transferID()
        index = wire.chunkIndex
    }

    package var wire: JSONValue { .members(["transferId": .string(transferID), "chunkIndex": .whole(index)]) }
}

/// A transfer, as the computer calls it.
package struct NamedTransfer: MethodParameters, Hashable {
    package var transferID: String

    package init(_ transferID: String) { self.transferID = transferID }

    package init(wire: RemoteParameters) throws { transferID = try wire.transferID() }

    package var wire: JSONValue { ["transferId": .string(transferID)] }
}
