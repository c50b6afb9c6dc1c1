package import Commands
import Foundation
package import Kernel
package import Transfers

/// Small files that are sent whole, all to one folder.
package struct UploadFiles: MethodParameters, Hashable {
    /// 1 to 4096 bytes.
    package var folder: String
    /// 1 to 256. Nil for one that cannot be read, which leaves its neighbours alone.
    package var files: [WholeFile?]
    package var replaces: Bool

    package init(folder: String, files: [WholeFile?], replacing: Bool) {
        self.folder = folder
        self.files = files
        replaces = replacing
    }

    package init(wire: RemoteParameters) throws {
        folder = try wire.requiredPath("targetDir")
        files = try wire.batch("files").map(Self.file)
        replaces = try wire.flag("overwrite")
    }

    /// Nil for what cannot be read: the sender hears what of it is wrong where it sends that file alone.
    private static func file(_ value: JSONValue) -> WholeFile? {
        let file = RemoteParameters(value)
        guard let content = value["content"]?.stringValue.flatMap({ Data(base64Encoded: $0) }) else { return nil }
        do {
            return WholeFile(
                name: FileNameText.bytes(try file.text("fileName", limit: FileLimits.name)),
                content: Array(content),
                permissions: try file.optionalInteger("permissions", in: 0...0o777).map(UInt32.init),
                modifiedMilliseconds: try file.optionalInteger("modified", in: TransferLimits.modified)
            )
        } catch {
            return nil
        }
    }

    package var wire: JSONValue {
        let files = files.map { file -> JSONValue in
            guard let file else { return .null }
            return .members([
                "fileName": .string(FileNameText.text(file.name)),
                "content": .string(Data(file.content).base64EncodedString()),
                "permissions": .whole(file.permissions), "modified": .whole(file.modifiedMilliseconds),
            ])
        }
        return ["targetDir": .string(folder), "files": .array(files), "overwrite": .bool(replaces)]
    }
}

/// The outcomes of small files that were sent.
package struct FilesUploaded: MethodAnswer, Hashable {
    package enum Outcome: Hashable, Sendable {
        /// It is whole, has its name, and stays across a power cut.
        case arrived
        /// A file of that name, size and date was there already.
        case present
        /// With the computer's code.
        case refused(code: Int)
    }

    /// In the order of the request's.
    package var files: [Outcome]

    package init(files: [Outcome]) { self.files = files }

    package init(wire: JSONValue) throws(RemoteError) {
        guard let values = wire["files"]?.arrayValue else { throw .malformedResult }
        files = values.map { value in
            if value["arrived"]?.boolValue == true { return .arrived }
            if value["present"]?.boolValue == true { return .present }
            return .refused(code: value.refusalCode)
        }
    }

    package var wire: JSONValue {
        let files = files.map { outcome -> JSONValue in
            switch outcome {
            case .arrived: ["arrived": true]
            case .present: ["present": true]
            case .refused(let code): ["code": .integer(Int64(code))]
            }
        }
        return ["success": true, "files": .array(files)]
    }
}

extension RemoteParameters {
    /// - Throws: ``RemoteFailure`` with -32602 unless it is a list of 1 to 256.
    func batch(_ name: String) throws(RemoteFailure) -> [JSONValue] {
        guard let values = value[name]?.arrayValue, (1...BatchTerms.most.files).contains(values.count) else {
            throw .badParameter(name, "a list of 1 to \(BatchTerms.most.files)")
        }
        return values
    }
}

extension JSONValue {
    /// Why a file of a batch was refused; what says no code failed for a reason that has none.
    var refusalCode: Int { self["code"]?.integerValue.flatMap { Int(exactly: $0) } ?? FailureCode.internalError }
}
