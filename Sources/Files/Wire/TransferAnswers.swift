package import Commands
package import Foundation
package import Kernel
package import Transfers

/// The terms of a transfer in either direction, as both ends agreed on them.
package struct TransferTerms: Hashable, Sendable {
    /// Bytes of an id.
    static let idLimit = 128
    static let chunkSizes: ClosedRange<Int64> = 1...(1 << 20)

    /// The computer's id for the transfer, of at most 128 bytes.
    package var transferID: String
    /// Bytes of a chunk, 1 to 2^20; the last one has the rest.
    package var chunkSize: Int64
    /// Whether the computer understands binary frames.
    package var usesFrames: Bool
    /// Whether the file is compared by block tags; otherwise by SHA-256.
    package var usesBlockTags: Bool
    /// Whether the computer can be asked for a direct connection. Source: `docs/protocol.md` 2.12.4.
    package var offersConnections: Bool

    package init(
        transferID: String,
        chunkSize: Int64,
        usesFrames: Bool,
        usesBlockTags: Bool,
        offersConnections: Bool = false
    ) {
        self.transferID = transferID
        self.chunkSize = chunkSize
        self.usesFrames = usesFrames
        self.usesBlockTags = usesBlockTags
        self.offersConnections = offersConnections
    }

    init(wire: JSONValue) throws(RemoteError) {
        guard let id = wire["transferId"]?.stringValue, id.utf8.count <= Self.idLimit,
            let chunkSize = wire["chunkSize"]?.integerValue, Self.chunkSizes.contains(chunkSize)
        else { throw .malformedResult }
        transferID = id
        self.chunkSize = chunkSize
        usesFrames = wire["frames"]?.boolValue ?? false
        usesBlockTags = wire["checksumMethod"]?.stringValue == ChecksumMethod.blockTagsName
        offersConnections = usesFrames && wire["direct"]?.boolValue ?? false
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "success": true, "transferId": .string(transferID), "chunkSize": .integer(chunkSize),
            "resumeSupported": true, "frames": .bool(usesFrames),
            "checksumMethod": .string(usesBlockTags ? ChecksumMethod.blockTagsName : "sha256"),
        ]
        if offersConnections { members["direct"] = true }
        return members
    }

    /// Chunks of a file of so many bytes.
    package func chunks(of size: Int64) -> Int64 { (size + chunkSize - 1) / chunkSize }
}

/// Where a file that is sent goes, and what of it is there already.
package struct UploadBegun: MethodAnswer, Hashable {
    package var terms: TransferTerms
    /// Chunks of the file; nil where the computer does not say it.
    package var totalChunks: Int64?
    /// In full; empty where the computer does not say it.
    package var path: String
    package var received: ByteRanges
    /// Whether the computer looks that the file is still what the content was made from. One that does not say it would replace anything.
    package var isGuarded = false

    package init(terms: TransferTerms, size: Int64, path: String, received: ByteRanges) {
        self.terms = terms
        totalChunks = terms.chunks(of: size)
        self.path = path
        self.received = received
    }

    package init(wire: JSONValue) throws(RemoteError) {
        terms = try TransferTerms(wire: wire)
        path = wire["path"]?.stringValue ?? ""
        received = ByteRanges()
        for pair in wire["received"]?.arrayValue ?? [] {
            guard let bounds = pair.arrayValue?.compactMap(\.sizeValue), bounds.count == 2, bounds[0] <= bounds[1]
            else { throw .malformedResult }
            received.insert(bounds[0]..<bounds[1])
        }
        totalChunks = wire["totalChunks"]?.sizeValue
        isGuarded = wire["guarded"]?.boolValue ?? false
    }

    package var wire: JSONValue {
        var members = terms.members
        if isGuarded { members["guarded"] = true }
        members["totalChunks"] = .whole(totalChunks)
        members["received"] = received.wire
        members["path"] = .string(path)
        return .object(members)
    }
}

/// A file that is fetched.
package struct DownloadBegun: MethodAnswer, Hashable {
    package var terms: TransferTerms
    package var fileName: String
    /// Bytes, 0 to 2^50.
    package var fileSize: Int64
    /// Another text when the content may be another; nil where the computer does not say it.
    package var version: String?
    /// Milliseconds since 1970-01-01T00:00:00Z; nil where the computer does not say it.
    package var modifiedMilliseconds: Int64?
    /// At most 0o777; nil where the computer does not say it.
    package var permissions: UInt32?
    /// In full; empty where the computer does not say it.
    package var path: String
    /// Parts of the file that are zeros: they need not be fetched, nor stored. Within ``FileHoles``.
    package var holes: ByteRanges

    package init(
        terms: TransferTerms,
        fileName: String,
        path: String,
        status: FileStatus,
        holes: ByteRanges = ByteRanges()
    ) {
        self.holes = holes
        self.terms = terms
        self.fileName = fileName
        self.path = path
        fileSize = status.size
        version = status.version
        modifiedMilliseconds = status.modifiedMilliseconds
        permissions = status.permissions & 0o777
    }

    package init(wire: JSONValue) throws(RemoteError) {
        terms = try TransferTerms(wire: wire)
        guard let size = wire["fileSize"]?.sizeValue else { throw .malformedResult }
        fileSize = size
        fileName = wire["fileName"]?.stringValue ?? ""
        path = wire["path"]?.stringValue ?? ""
        version = wire["version"]?.stringValue
        modifiedMilliseconds = wire["modified"]?.integerValue.flatMap {
            TransferLimits.modified.contains($0) ? $0 : nil
        }
        permissions = wire["permissions"]?.permissionsValue.map { $0 & 0o777 }
        guard let holes = ByteRanges(wire: wire["holes"]).flatMap({ FileHoles.believed($0, in: size) }) else {
            throw .malformedResult
        }
        self.holes = holes
    }

    package var wire: JSONValue {
        let more: JSONValue = .members([
            "fileName": .string(fileName), "fileSize": .integer(fileSize),
            "totalChunks": .integer(terms.chunks(of: fileSize)), "checksum": .some(.null),
            "version": .text(version), "modified": .whole(modifiedMilliseconds), "permissions": .whole(permissions),
            "path": .string(path), "holes": holes.count == 0 ? Optional.none : holes.wire,
        ])
        return .object(terms.members.merging(more.objectValue ?? [:]) { $1 })
    }
}

/// A chunk of an upload that arrived. What another program does not say is nil.
package struct ChunkTaken: MethodAnswer, Hashable {
    package var index: Int64?
    /// Chunks of which every byte is there, and all of them.
    package var received: Int64?
    package var total: Int64?
    /// The part of the file that arrived, in whole percent.
    package var progress: Int64?

    package init(index: Int64, received: Int64, total: Int64, progress: Int64) {
        self.index = index
        self.received = received
        self.total = total
        self.progress = progress
    }

    package init(wire: JSONValue) {
        index = wire["chunkIndex"]?.sizeValue
        received = wire["received"]?.sizeValue
        total = wire["totalChunks"]?.sizeValue
        progress = wire["progress"]?.sizeValue
    }

    package var wire: JSONValue {
        .members([
            "success": true, "received": .whole(received), "progress": .whole(progress),
            "remainingChunks": .whole(total.flatMap { total in received.map { total - $0 } }),
            "chunkIndex": .whole(index), "totalChunks": .whole(total),
        ])
    }
}

/// A file that arrived whole and has its name. What another program does not say is nil.
package struct UploadCompleted: MethodAnswer, Hashable {
    package var transferID: String?
    /// In full.
    package var path: String?
    package var fileName: String?
    /// Bytes.
    package var fileSize: Int64?
    /// The file's checksum, as `FileChecksum` writes it.
    package var checksum: String?

    package init(transferID: String, path: String, fileName: String, fileSize: Int64, checksum: String?) {
        self.transferID = transferID
        self.path = path
        self.fileName = fileName
        self.fileSize = fileSize
        self.checksum = checksum
    }

    package init(wire: JSONValue) {
        transferID = wire["transferId"]?.stringValue
        path = (wire["path"] ?? wire["filePath"])?.stringValue
        fileName = wire["fileName"]?.stringValue
        fileSize = (wire["fileSize"] ?? wire["size"])?.sizeValue
        checksum = wire["checksum"]?.stringValue
    }

    package var wire: JSONValue {
        .members([
            "success": true, "transferId": .text(transferID), "path": .text(path), "filePath": .text(path),
            "fileName": .text(fileName), "fileSize": .whole(fileSize), "size": .whole(fileSize),
            "checksum": .some(checksum.map(JSONValue.string) ?? .null),
        ])
    }
}

/// A chunk of a download.
package struct DownloadedChunk: MethodAnswer, Hashable {
    package var bytes: Data
    /// From 0 on; nil where the computer does not say it.
    package var index: Int64?
    package var isLast: Bool
    /// The progress through the file, in whole percent; nil where the computer does not say it.
    package var progress: Int64?

    package init(bytes: Data, index: Int64, isLast: Bool, progress: Int64) {
        self.bytes = bytes
        self.index = index
        self.isLast = isLast
        self.progress = progress
    }

    package init(wire: JSONValue) throws(RemoteError) {
        guard let text = wire["chunkData"]?.stringValue, let data = Data(base64Encoded: text) else {
            throw .malformedResult
        }
        bytes = data
        index = wire["chunkIndex"]?.sizeValue
        isLast = wire["isLastChunk"]?.boolValue ?? false
        progress = wire["progress"]?.sizeValue
    }

    package var wire: JSONValue {
        .members([
            "success": true, "chunkData": .string(bytes.base64EncodedString()),
            "chunkSize": .integer(Int64(bytes.count)), "chunkIndex": .whole(index), "isLastChunk": .bool(isLast),
            "progress": .whole(progress),
        ])
    }
}

/// A download that is over. What another program does not say is nil.
package struct DownloadCompleted: MethodAnswer, Hashable {
    /// The whole file's checksum, as `FileChecksum` writes it.
    package var checksum: String?
    /// Bytes.
    package var fileSize: Int64?
    package var version: String?
    /// Whether more was written after what was sent; false where the computer does not say it.
    package var hasGrown: Bool

    package init(checksum: String, fileSize: Int64, version: String, hasGrown: Bool = false) {
        self.checksum = checksum
        self.fileSize = fileSize
        self.version = version
        self.hasGrown = hasGrown
    }

    package init(wire: JSONValue) {
        checksum = wire["checksum"]?.stringValue
        fileSize = wire["fileSize"]?.sizeValue
        version = wire["version"]?.stringValue
        hasGrown = wire["grown"]?.boolValue ?? false
    }

    package var wire: JSONValue {
        .members([
            "success": true, "checksum": .text(checksum), "fileSize": .whole(fileSize), "version": .text(version),
            "grown": hasGrown ? true : nil,
        ])
    }
}

/// A transfer that was ended.
package struct TransferCancelled: MethodAnswer, Hashable {
    /// Nil where the computer does not say it.
    package var transferID: String?

    package init(transferID: String) { self.transferID = transferID }

    package init(wire: JSONValue) { transferID = wire["transferId"]?.stringValue }

    package var wire: JSONValue { .members(["success": true, "transferId": .text(transferID), "cancelled": true]) }
}

/// The asker's transfers.
package struct TransferList: MethodAnswer, Hashable {
    package struct Transfer: Hashable, Sendable {
        package var transferID: String
        package var direction: TransferDirection
        package var fileName: String
        /// Bytes.
        package var fileSize: Int64?
        /// In whole percent.
        package var progress: Int64?
        /// `receiving`, `finishing`, `done` or `sending`.
        package var status: String
        /// In full; empty where the computer does not say it.
        package var path: String
        /// Bytes.
        package var chunkSize: Int64?
        package var version: String?

        package init(
            _ transferID: String,
            _ direction: TransferDirection,
            fileName: String,
            fileSize: Int64,
            progress: Int64,
            status: String,
            path: String,
            chunkSize: Int64,
            version: String? = nil
        ) {
            self.transferID = transferID
            self.direction = direction
            self.fileName = fileName
            self.fileSize = fileSize
            self.progress = progress
            self.status = status
            self.path = path
            self.chunkSize = chunkSize
            self.version = version
        }

        /// Nil for what says neither which transfer it is nor which way it goes.
        fileprivate init?(wire: JSONValue) {
            guard let id = wire["transferId"]?.stringValue,
                let direction = wire["direction"]?.stringValue.flatMap(TransferDirection.init(rawValue:))
            else { return nil }
            transferID = id
            self.direction = direction
            fileName = wire["fileName"]?.stringValue ?? ""
            fileSize = wire["fileSize"]?.sizeValue
            progress = wire["progress"]?.sizeValue
            status = wire["status"]?.stringValue ?? ""
            path = wire["path"]?.stringValue ?? ""
            chunkSize = wire["chunkSize"]?.sizeValue
            version = wire["version"]?.stringValue
        }

        fileprivate var wire: JSONValue {
            .members([
                "transferId": .string(transferID), "direction": .string(direction.rawValue),
                "fileName": .string(fileName), "fileSize": .whole(fileSize), "progress": .whole(progress),
                "status": .string(status), "path": .string(path), "chunkSize": .whole(chunkSize),
                "version": .text(version),
            ])
        }
    }

    package var transfers: [Transfer]

    package init(transfers: [Transfer]) { self.transfers = transfers }

    package init(wire: JSONValue) throws(RemoteError) {
        guard let values = wire["transfers"]?.arrayValue else { throw .malformedResult }
        transfers = values.compactMap(Transfer.init(wire:))
    }

    package var wire: JSONValue {
        [
            "success": true, "transfers": .array(transfers.map(\.wire)),
            "total": .integer(Int64(transfers.count)),
        ]
    }
}
