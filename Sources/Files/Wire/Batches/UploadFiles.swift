package import Commands
import Foundation
package import Kernel
package import Transfers

/// Small files that are sent whole, all to one folder. Their contents are in the request; or they are announced first, travel apart as one
/// body, and get their names by a second request.
package struct UploadFiles: MethodParameters, Hashable {
    /// 1 to 4096 bytes.
    package var folder: String
    /// 1 to 256; none in the second request. Nil for one that cannot be read, which leaves its neighbours alone.
    package var files: [WholeFile?]
    /// The bytes of each of ``files``, 0 to 65,536, whose contents are empty and follow apart; nil where they are in the request.
    package var sizes: [Int]?
    /// In the second request the transfer whose body has arrived; nil in any other.
    package var transferID: String?
    package var replaces: Bool

    package init(folder: String, files: [WholeFile?], replacing: Bool) {
        self.folder = folder
        self.files = files
        replaces = replacing
    }

    /// Announces files.
    package init(announcing files: [WholeFile], in folder: String, replacing: Bool) {
        self.init(folder: folder, files: files, replacing: replacing)
        sizes = files.map(\.content.count)
        for index in files.indices { self.files[index]?.content = [] }
    }

    /// Says that what was announced has arrived.
    package init(arrived transferID: String, in folder: String) {
        self.init(folder: folder, files: [], replacing: false)
        self.transferID = transferID
    }

    package init(wire: RemoteParameters) throws {
        folder = try wire.requiredPath("targetDir")
        replaces = try wire.flag("overwrite")
        files = []
        if wire.has("transferId") {
            // What was announced holds.
            (transferID, replaces) = (try wire.transferID(), false)
        } else if try wire.flag("bundle") {
            let read = try wire.batch("files").map { value -> (file: WholeFile, size: Int)? in
                guard let size = Self.size(value), let file = Self.file(value, content: []) else { return nil }
                return (file, size)
            }
            files = read.map { $0?.file }
            sizes = read.map { $0?.size ?? 0 }
        } else {
            files = try wire.batch("files").map { value in
                value["content"]?.stringValue.flatMap { Data(base64Encoded: $0) }.flatMap {
                    Self.file(value, content: Array($0))
                }
            }
        }
    }

    /// Nil unless it says a size in bounds.
    private static func size(_ value: JSONValue) -> Int? {
        value["fileSize"]?.integerValue.flatMap { (0...BatchTerms.smallSize).contains($0) ? Int($0) : nil }
    }

    /// Nil for what cannot be read: the sender hears what of it is wrong where it sends that file alone.
    private static func file(_ value: JSONValue, content: [UInt8]) -> WholeFile? {
        let file = RemoteParameters(value)
        do {
            return WholeFile(
                name: FileNameText.bytes(try file.text("fileName", limit: FileLimits.name)),
                content: content,
                permissions: try file.optionalInteger("permissions", in: 0...0o777).map(UInt32.init),
                modifiedMilliseconds: try file.optionalInteger("modified", in: TransferLimits.modified)
            )
        } catch {
            return nil
        }
    }

    package var wire: JSONValue {
        if let transferID { return ["targetDir": .string(folder), "transferId": .string(transferID)] }
        let files = files.enumerated().map { index, file -> JSONValue in
            guard let file else { return .null }
            return .members([
                "fileName": .string(FileNameText.text(file.name)),
                "content": sizes == nil ? .string(Data(file.content).base64EncodedString()) : nil,
                "fileSize": .whole(sizes?[index]),
                "permissions": .whole(file.permissions), "modified": .whole(file.modifiedMilliseconds),
            ])
        }
        return .members([
            "targetDir": .string(folder), "files": .array(files), "overwrite": .bool(replaces),
            "bundle": sizes == nil ? nil : true,
        ])
    }
}

/// The outcomes of small files that were sent.
package struct FilesUploaded: MethodAnswer, Hashable {
    package enum Outcome: Hashable, Sendable {
        /// It is whole, has its name, and stays across a power cut.
        case arrived
        /// A file of that name, size and date was there already.
        case present
        /// Announced, and its bytes are waited for.
        case wanted
        /// With the computer's code.
        case refused(code: Int)
    }

    /// In the order of the request's; in the answer to the second request those that were wanted.
    package var files: [Outcome]
    /// Under which the bytes of what is wanted travel; nil where nothing is.
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
            if value["arrived"]?.boolValue == true { return .arrived }
            if value["wanted"]?.boolValue == true { return .wanted }
            if value["present"]?.boolValue == true { return .present }
            return .refused(code: value.refusalCode)
        }
    }

    package var wire: JSONValue {
        let files = files.map { outcome -> JSONValue in
            switch outcome {
            case .arrived: ["arrived": true]
            case .present: ["present": true]
            case .wanted: ["wanted": true]
            case .refused(let code): ["code": .integer(Int64(code))]
            }
        }
        return .members([
            "success": true, "files": .array(files), "transferId": transferID.map(JSONValue.string),
            "direct": offersConnections ? true : nil,
        ])
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
