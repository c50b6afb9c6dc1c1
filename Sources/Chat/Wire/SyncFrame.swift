public import Accounts
import Foundation
public import Kernel

/// A frame of the sync socket as a JSON text. `data` is a JSON value between our own ends; base64 of a JSON text is read, too.
public enum SyncFrame: Hashable, Sendable {
    case request(Request)
    case response(Response)

    /// What a client asks.
    public struct Request: ChatWire {
        public var id: FrameID
        /// The client's number of this request, which the response repeats.
        public var increment: String
        /// A name of the request for logs of both sides.
        public var operation: String
        public var data: JSONValue

        public init(_ id: FrameID, increment: String, operation: String, data: JSONValue) {
            self.id = id
            self.increment = increment
            self.operation = operation
            self.data = data
        }

        /// A token or a sender's id inside a frame is passed over: the socket was opened by somebody already.
        public init(wire: JSONValue) throws(ChatError) {
            let members = try WireMembers(wire, of: "frame")
            id = try SyncFrame.id(members)
            increment = try SyncFrame.name(members, "msgIncr")
            operation = try SyncFrame.name(members, "operationID")
            data = SyncFrame.data(members.value("data"))
        }

        public var wire: JSONValue {
            [
                "reqIdentifier": .whole(id.rawValue), "msgIncr": .string(increment),
                "operationID": .string(operation), "data": data,
            ]
        }
    }

    /// What the server answers, or tells on its own: a push has no increment.
    public struct Response: ChatWire {
        public var id: FrameID
        public var increment: String
        public var operation: String
        public var code: IMErrorCode
        /// For people and logs; empty on success.
        public var message: String
        public var data: JSONValue

        public init(
            _ id: FrameID,
            increment: String = "",
            operation: String = "",
            code: IMErrorCode = .none,
            message: String = "",
            data: JSONValue = [:]
        ) {
            self.id = id
            self.increment = increment
            self.operation = operation
            self.code = code
            self.message = message
            self.data = data
        }

        public init(wire: JSONValue) throws(ChatError) {
            let members = try WireMembers(wire, of: "frame")
            id = try SyncFrame.id(members)
            increment = try SyncFrame.name(members, "msgIncr")
            operation = try SyncFrame.name(members, "operationID")
            let number = members.integer("errCode") ?? 0
            guard let code = Int(exactly: number) else { throw .malformed("errCode") }
            self.code = IMErrorCode(rawValue: code)
            message = members.text("errMsg") ?? ""
            data = SyncFrame.data(members.value("data"))
        }

        public var wire: JSONValue {
            [
                "reqIdentifier": .whole(id.rawValue), "msgIncr": .string(increment),
                "operationID": .string(operation), "errCode": .whole(code.rawValue), "errMsg": .string(message),
                "data": data,
            ]
        }

        /// The canonical text of ``wire``, without a dictionary whose keys are sorted: a server makes one for each answer.
        public var canonicalBytes: [UInt8] {
            var bytes = Array(#"{"data":"#.utf8)
            bytes.append(contentsOf: data.canonicalBytes)
            bytes.append(contentsOf: #","errCode":\#(code.rawValue),"errMsg":"#.utf8)
            JSONValue.appendQuoted(message, to: &bytes)
            bytes.append(contentsOf: #","msgIncr":"#.utf8)
            JSONValue.appendQuoted(increment, to: &bytes)
            bytes.append(contentsOf: #","operationID":"#.utf8)
            JSONValue.appendQuoted(operation, to: &bytes)
            bytes.append(contentsOf: #","reqIdentifier":\#(id.rawValue)}"#.utf8)
            return bytes
        }
    }

    /// Reads one text frame. A frame with an error code is a response.
    ///
    /// - Throws: ``ChatError/tooLong(_:limit:)`` above ``ChatLimits/ownFrame`` bytes; ``ChatError/malformed(_:)``.
    public init(text: some Collection<UInt8>) throws(ChatError) {
        guard text.count <= ChatLimits.ownFrame else { throw .tooLong("frame", limit: ChatLimits.ownFrame) }
        guard let value = try? JSONValue(parsing: text) else { throw .malformed("frame") }
        self =
            value["errCode"] == nil ? .request(try Request(wire: value)) : .response(try Response(wire: value))
    }

    private static func id(_ members: WireMembers) throws(ChatError) -> FrameID {
        guard let number = members.integer("reqIdentifier").flatMap({ Int(exactly: $0) }) else {
            throw .malformed("reqIdentifier")
        }
        return FrameID(rawValue: number)
    }

    private static func name(_ members: WireMembers, _ key: String) throws(ChatError) -> String {
        let text = members.text(key) ?? ""
        guard text.utf8.count <= ChatLimits.name else { throw .tooLong(key, limit: ChatLimits.name) }
        return text
    }

    private static func data(_ value: JSONValue?) -> JSONValue {
        guard case .string(let text)? = value else { return value ?? [:] }
        if text.isEmpty { return [:] }
        guard let bytes = Data(base64Encoded: text), let inner = try? JSONValue(parsing: bytes) else {
            return .string(text)
        }
        // Only what a request or an answer is: a text inside could be base64 of something again.
        return switch inner {
        case .object, .array: inner
        default: .string(text)
        }
    }
}
