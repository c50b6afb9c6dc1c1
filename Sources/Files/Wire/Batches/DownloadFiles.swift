package import Commands
package import Foundation
package import Kernel
import Transfers

/// Small files that are wanted whole, all of one folder.
package struct DownloadFiles: MethodParameters, Hashable {
    /// 1 to 4096 bytes.
    package var folder: String
    /// Each as ``FileNameText`` writes it, of 1 to 1024 bytes; 1 to 256 of them.
    package var names: [String]
    /// Whether the contents are to travel apart from the answer, as the body of one download.
    package var isBundled = false

    package init(folder: String, names: [String], bundled: Bool = false) {
        self.folder = folder
        self.names = names
        isBundled = bundled
    }

    package init(wire: RemoteParameters) throws {
        folder = try wire.requiredPath("path")
        isBundled = try wire.flag("bundle")
        names = try wire.batch("names").map { value in
            guard case .string(let name) = value, (1...FileLimits.name).contains(name.utf8.count) else {
                throw RemoteFailure.badParameter("names", "texts of 1 to \(FileLimits.name) bytes")
            }
            return name
        }
    }

    package var wire: JSONValue {
        .members([
            "path": .string(folder), "names": .array(names.map(JSONValue.string)), "bundle": isBundled ? true : nil,
        ])
    }
}

/// Small files, as they were when they were read.
package struct FilesDownloaded: MethodAnswer, Hashable {
    package enum Outcome: Hashable, Sendable {
        /// The whole file. What another program does not say is nil.
        case file(bytes: Data, permissions: UInt32?, modifiedMilliseconds: Int64?)
        /// So many bytes of the body, 0 to 65,536, behind those of the files before.
        case bundled(size: Int, permissions: UInt32?, modifiedMilliseconds: Int64?)
        /// With the computer's code.
        case refused(code: Int)
    }

    /// In the order of the request's.
    package var files: [Outcome]
    /// The download whose body the contents are; nil where they are in the answer, or there are none.
    package var transferID: String?
    /// Whether the computer can be asked for a direct connection for them.
    package var offersConnections = false

    package init(files: [Outcome], transferID: String? = nil, offersConnections: Bool = false) {
        self.files = files
        self.transferID = transferID
        self.offersConnections = offersConnections
    }

    package init(wire: JSONValue) throws(RemoteError) {
        guard let values = wire["files"]?.arrayValue else { throw .malformedResult }
        transferID = wire["transferId"]?.stringValue
        offersConnections = wire["direct"]?.boolValue ?? false
        files = values.map { value in
            let permissions = value["permissions"]?.permissionsValue.map { $0 & 0o777 }
            let modified = value["modified"]?.integerValue.flatMap { TransferLimits.modified.contains($0) ? $0 : nil }
            if let text = value["content"]?.stringValue, let bytes = Data(base64Encoded: text) {
                return .file(bytes: bytes, permissions: permissions, modifiedMilliseconds: modified)
            }
            if let size = value["fileSize"]?.integerValue, (0...BatchTerms.smallSize).contains(size) {
                return .bundled(size: Int(size), permissions: permissions, modifiedMilliseconds: modified)
            }
            return .refused(code: value.refusalCode)
        }
    }

    package var wire: JSONValue {
        let files = files.map { outcome -> JSONValue in
            switch outcome {
            case .file(let bytes, let permissions, let modified):
                .members([
                    "content": .string(bytes.base64EncodedString()), "permissions": .whole(permissions),
                    "modified": .whole(modified),
                ])
            case .bundled(let size, let permissions, let modified):
                .members([
                    "fileSize": .whole(size), "permissions": .whole(permissions), "modified": .whole(modified),
                ])
            case .refused(let code): ["code": .integer(Int64(code))]
            }
        }
        return .members([
            "success": true, "files": .array(files), "transferId": transferID.map(JSONValue.string),
            "direct": offersConnections ? true : nil,
        ])
    }
}
