public import Commands
public import Foundation
public import Kernel
public import Transfers

/// A file that is to be sent, and where it is to go.
public struct RequestUpload: MethodParameters, Hashable {
    /// As ``FileNameText`` writes it.
    public var fileName: String
    /// Bytes, 0 to 2^50.
    public var fileSize: Int64
    /// Empty: where the computer puts what it is sent.
    public var folder = ""
    /// As `FileChecksum` writes it; nil: said at the end.
    public var checksum: String?
    /// 32 bytes that a checksum of block tags is made with; nil: SHA-256.
    public var checksumKey: [UInt8]?
    /// The sender's words for the version of its file, of at most 256 bytes: the same upload again goes on.
    public var source: String?
    /// Bytes, 4096 to 393,216; nil: 65,536.
    public var chunkSize: Int64?
    public var replaces = false
    /// 0 to 0o777.
    public var permissions: UInt32?
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var modifiedMilliseconds: Int64?
    /// The sender knows how to go on: the parts are kept for days instead of minutes.
    public var isResumable = false
    /// A transfer of before that is to go on.
    public var resume: TransferID?

    public init(fileName: String, fileSize: Int64) {
        self.fileName = fileName
        self.fileSize = fileSize
    }

    /// - Throws: Also ``FileError/badName(_:)``.
    public init(wire: RemoteParameters) throws {
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
        replaces = try wire.flag("overwrite")
        permissions = try wire.optionalInteger("permissions", in: 0...0o777).map(UInt32.init)
        modifiedMilliseconds = try wire.optionalInteger("modified", in: 0...253_402_300_799_999)
        isResumable = try wire.flag("resumable")
        resume = try wire.optionalText("resume", limit: FileLimits.transferID).flatMap(TransferID.init(text:))
    }

    public var wire: JSONValue {
        .members([
            "fileName": .string(fileName), "fileSize": .integer(fileSize),
            "metadata": folder.isEmpty ? nil : ["targetDir": .string(folder)], "checksum": .text(checksum),
            "checksumKey": .text(checksumKey.map { Hexadecimal.encode($0) }), "source": .text(source),
            "chunkSize": .whole(chunkSize), "overwrite": .bool(replaces), "permissions": .whole(permissions),
            "modified": .whole(modifiedMilliseconds), "resumable": isResumable ? true : nil,
            "resume": .text(resume?.text(.upload)),
        ])
    }
}

/// A chunk of a file that is being sent.
public struct UploadChunk: MethodParameters, Hashable {
    /// As the computer calls it.
    public var transferID: String
    /// From 0 on; nil for what is no whole number.
    public var index: Int64?
    /// As many as the transfer's chunks have; the last one has the rest.
    public var bytes: Data

    public init(transferID: String, index: Int64, bytes: Data) {
        self.transferID = transferID
        self.index = index
        self.bytes = bytes
    }

    public init(wire: RemoteParameters) throws {
        transferID = try wire.transferID()
        index = wire.chunkIndex
        let text = try wire.text("chunkData", limit: Int(FileLimits.chunks.upperBound) * 4 / 3 + 4)
        guard let data = Data(base64Encoded: text) else { throw RemoteFailure.badParameter("chunkData", "base64") }
        bytes = data
    }

    public var wire: JSONValue {
        .members([
            "transferId": .string(transferID), "chunkIndex": .whole(index),
            "chunkData": .string(bytes.base64EncodedString()),
        ])
    }
}

/// The end of an upload.
public struct CompleteUpload: MethodParameters, Hashable {
    /// As the computer calls it.
    public var transferID: String
    /// The sender's, as `FileChecksum` writes it.
    public var checksum: String?

    public init(transferID: String, checksum: String? = nil) {
        self.transferID = transferID
        self.checksum = checksum
    }

    public init(wire: RemoteParameters) throws {
        transferID = try wire.transferID()
        checksum = try wire.checksum()
    }

    public var wire: JSONValue { .members(["transferId": .string(transferID), "checksum": .text(checksum)]) }
}

/// A file that is wanted whole.
public struct RequestDownload: MethodParameters, Hashable {
    public var path: String
    /// Bytes, 4096 to 393,216; nil: 65,536.
    public var chunkSize: Int64?
    /// 32 bytes that a checksum of block tags is made with; nil: SHA-256.
    public var checksumKey: [UInt8]?
    /// What the answer is to call it.
    public var fileName: String?
    /// What the asker has parts of; another one is refused.
    public var version: String?

    public init(path: String) { self.path = path }

    public init(wire: RemoteParameters) throws {
        path = try wire.requiredPath("filePath", "path")
        chunkSize = try wire.optionalInteger("chunkSize", in: FileLimits.chunks)
        checksumKey = try wire.checksumKey()
        fileName = try wire.optionalText("fileName", limit: FileLimits.name)
        version = try wire.optionalText("version", limit: 256)
    }

    public var wire: JSONValue {
        .members([
            "filePath": .string(path), "chunkSize": .whole(chunkSize),
            "checksumKey": .text(checksumKey.map { Hexadecimal.encode($0) }), "fileName": .text(fileName),
            "version": .text(version),
        ])
    }
}

/// A chunk of a file that is being fetched.
public struct DownloadChunk: MethodParameters, Hashable {
    /// As the computer calls it.
    public var transferID: String
    /// From 0 on; nil for what is no whole number.
    public var index: Int64?

    public init(transferID: String, index: Int64) {
        self.transferID = transferID
        self.index = index
    }

    public init(wire: RemoteParameters) throws {
        transferID = try wire.transferID()
        index = wire.chunkIndex
    }

    public var wire: JSONValue { .members(["transferId": .string(transferID), "chunkIndex": .whole(index)]) }
}

/// A transfer, as the computer calls it.
public struct NamedTransfer: MethodParameters, Hashable {
    public var transferID: String

    public init(_ transferID: String) { self.transferID = transferID }

    public init(wire: RemoteParameters) throws { transferID = try wire.transferID() }

    public var wire: JSONValue { ["transferId": .string(transferID)] }
}
