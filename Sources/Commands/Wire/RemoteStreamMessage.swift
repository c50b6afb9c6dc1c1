package import Foundation
package import Kernel

/// One message of a result that comes in pieces. Source: `docs/protocol.md`, "Streams".
package enum RemoteStreamMessage: Hashable, Sendable {
    /// The first message: repeats the announcement.
    case start(RemoteStreamAnnouncement)
    /// A piece, before base64. `index` counts from 0.
    case chunk(id: String, index: Int, bytes: Data)
    /// Every piece was sent.
    case end(id: String)
    /// The rest will not come.
    case failure(id: String, RemoteFailure)
    /// It names a stream, and what it says about it cannot be read.
    case unreadable(id: String)

    private static let prefix = "chainlesschain:stream:"
    private static let messageLimit = 1024

    /// The stream that the message belongs to.
    package var id: String {
        switch self {
        case .start(let announcement): announcement.id
        case .chunk(let id, _, _), .end(let id), .failure(let id, _), .unreadable(let id): id
        }
    }

    /// The documented form: payload is an object.
    package var envelope: JSONValue {
        let (type, payload): (String, [String: JSONValue]) =
            switch self {
            case .start(let announcement): ("start", announcement.members)
            case .chunk(let id, let index, let bytes):
                (
                    "chunk",
                    [
                        "id": .string(id), "index": .integer(Int64(index)),
                        "data": .string(bytes.base64EncodedString()),
                    ]
                )
            case .end(let id): ("end", ["id": .string(id)])
            case .failure(let id, let failure):
                (
                    "error",
                    ["id": .string(id), "error": .string(failure.message), "code": .integer(Int64(failure.code))]
                )
            case .unreadable(let id): ("error", ["id": .string(id)])
            }
        return ["type": .string(Self.prefix + type), "payload": .object(payload)]
    }

    /// Whether the message belongs to some stream, readable or not.
    package static func isStream(_ envelope: JSONValue) -> Bool {
        envelope["type"]?.stringValue?.hasPrefix(prefix) ?? false
    }

    /// Reads the payload as an object or as a JSON text. Nil for what names no stream.
    package init?(envelope: JSONValue) {
        guard let type = envelope["type"]?.stringValue, type.hasPrefix(Self.prefix),
            let payload = envelope.payloadObject, let id = payload["id"]?.stringValue,
            (1...RemoteStreamAnnouncement.idLimit).contains(id.utf8.count)
        else { return nil }
        switch type.dropFirst(Self.prefix.count) {
        case "start": self = RemoteStreamAnnouncement(members: payload).map { .start($0) } ?? .unreadable(id: id)
        case "chunk": self = Self.chunk(id, payload) ?? .unreadable(id: id)
        case "end": self = .end(id: id)
        case "error": self = .failure(id: id, Self.failure(payload))
        default: return nil
        }
    }

    private static func chunk(_ id: String, _ payload: [String: JSONValue]) -> RemoteStreamMessage? {
        let limit = (RemoteStreamAnnouncement.chunkSizes.upperBound + 2) / 3 * 4
        guard let index = payload["index"]?.integerValue.flatMap(Int.init(exactly:)), index >= 0,
            let text = payload["data"]?.stringValue, text.utf8.count <= limit, let bytes = Data(base64Encoded: text)
        else { return nil }
        return .chunk(id: id, index: index, bytes: bytes)
    }

    private static func failure(_ payload: [String: JSONValue]) -> RemoteFailure {
        let error = payload["error"]
        let message = error?.stringValue ?? error?["message"]?.stringValue
        let code = payload["code"]?.integerValue ?? error?["code"]?.integerValue
        return RemoteFailure(
            code: code.flatMap(Int.init(exactly:)) ?? FailureCode.internalError,
            message: message.map { String($0.prefix(messageLimit)) } ?? "The computer stopped sending its answer."
        )
    }
}
