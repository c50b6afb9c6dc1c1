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

    package init(folder: String, names: [String]) {
        self.folder = folder
        self.names = names
    }

    package init(wire: RemoteParameters) throws {
        folder = try wire.requiredPath("path")
        names = try wire.batch("names").map { value in
            guard case .string(let name) = value, (1...FileLimits.name).contains(name.utf8.count) else {
                throw RemoteFailure.badParameter("names", "texts of 1 to \(FileLimits.name) bytes")
            }
            return name
        }
    }

    package var wire: JSONValue {
        ["path": .string(folder), "names": .array(names.map(JSONValue.string))]
    }
}

/// Small files, as they were when they were read.
package struct FilesDownloaded: MethodAnswer, Hashable {
    package enum Outcome: Hashable, Sendable {
        /// The whole file. What another program does not say is nil.
        case file(bytes: Data, permissions: UInt32?, modifiedMilliseconds: Int64?)
        /// With the computer's code.
        case refused(code: Int)
    }

    /// In the order of the request's.
    package var files: [Outcome]

    package init(files: [Outcome]) { self.files = files }

    package init(wire: JSONValue) throws(RemoteError) {
        guard let values = wire["files"]?.arrayValue else { throw .malformedResult }
        files = values.map { value in
            guard let text = value["content"]?.stringValue, let bytes = Data(base64Encoded: text) else {
                return .refused(code: value.refusalCode)
            }
            return .file(
                bytes: bytes,
                permissions: value["permissions"]?.permissionsValue.map { $0 & 0o777 },
                modifiedMilliseconds: value["modified"]?.integerValue.flatMap {
                    TransferLimits.modified.contains($0) ? $0 : nil
                }
            )
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
            case .refused(let code): ["code": .integer(Int64(code))]
            }
        }
        return ["success": true, "files": .array(files)]
    }
}
