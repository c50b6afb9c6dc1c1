package import Commands
package import Foundation
package import Kernel

/// Pictures that are wanted small, to be recognized in a folder. Source: `docs/protocol.md` 3.2.7.
package struct FileThumbnails: MethodParameters, Hashable {
    /// Pictures of one request.
    package static let limit = 24
    package static let edges: ClosedRange<Int64> = 16...512

    /// Each of 1 to 4096 bytes; 1 to 24 of them.
    package var paths: [String]
    /// Neither edge of a picture becomes longer, in pixels, 16 to 512.
    package var edge = 256

    package init(paths: [String]) { self.paths = paths }

    package init(wire: RemoteParameters) throws {
        edge = Int(try wire.optionalInteger("edge", in: Self.edges) ?? 256)
        guard let values = wire.value["paths"]?.arrayValue, (1...Self.limit).contains(values.count) else {
            throw RemoteFailure.badParameter("paths", "1 to \(Self.limit) paths")
        }
        paths = try values.map { value in
            guard case .string(let path) = value, (1...FileLimits.path).contains(path.utf8.count) else {
                throw RemoteFailure.badParameter("paths", "texts of 1 to \(FileLimits.path) bytes")
            }
            return path
        }
    }

    package var wire: JSONValue {
        ["paths": .array(paths.map(JSONValue.string)), "edge": .integer(Int64(edge))]
    }
}

/// Small pictures, as many as the answer had room and time for.
package struct ThumbnailsMade: MethodAnswer, Hashable {
    package enum Outcome: Hashable, Sendable {
        /// A JPEG without metadata.
        case picture(Data)
        /// With the computer's code; -32004 and -32005: to be asked for again.
        case refused(code: Int)
    }

    /// In the order of the request's.
    package var files: [Outcome]

    package init(files: [Outcome]) { self.files = files }

    package init(wire: JSONValue) throws(RemoteError) {
        guard let values = wire["files"]?.arrayValue else { throw .malformedResult }
        files = values.map { value in
            if let text = value["content"]?.stringValue, let bytes = Data(base64Encoded: text) {
                return .picture(bytes)
            }
            return .refused(code: value.refusalCode)
        }
    }

    package var wire: JSONValue {
        let files = files.map { outcome -> JSONValue in
            switch outcome {
            case .picture(let bytes): ["content": .string(bytes.base64EncodedString())]
            case .refused(let code): ["code": .integer(Int64(code))]
            }
        }
        return ["success": true, "files": .array(files)]
    }
}
