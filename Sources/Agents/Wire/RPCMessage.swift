package import Kernel

/// A line of JSON-RPC. Codex leaves out the member `jsonrpc`, so it is not asked for.
package enum RPCMessage: Hashable, Sendable {
    case request(id: JSONValue, method: String, parameters: JSONValue)
    case notification(method: String, parameters: JSONValue)
    case result(id: JSONValue, JSONValue)
    case failure(id: JSONValue, RPCFailure)

    /// Bytes of a method's name and of an id that is a text.
    static let nameLimit = 200

    /// - Returns: Nil for a line that is no message: an agent's stray output, a batch, an id of another kind.
    package init?(_ line: [UInt8]) {
        let members: [String: JSONValue]
        if let value = try? JSONValue(parsingForeign: line) {
            guard case .object(let whole) = value else { return nil }
            members = whole
        } else {
            // A request that cannot be read, such as one that is nested too deep, is known by its id, so that the agent hears an answer.
            members = ShallowMembers.read(line)
            guard members["id"] != nil, members["method"] != nil else { return nil }
        }
        let id: JSONValue?
        switch members["id"] {
        case nil, .null?: id = nil
        case .integer(let number)?: id = .integer(number)
        case .string(let text)? where text.utf8.count <= Self.nameLimit: id = .string(text)
        default: return nil
        }
        if let method = members["method"]?.stringValue {
            guard method.utf8.count <= Self.nameLimit else { return nil }
            let parameters = members["params"] ?? .object([:])
            self =
                id.map { .request(id: $0, method: method, parameters: parameters) }
                ?? .notification(method: method, parameters: parameters)
        } else if let id, let error = members["error"], error != .null {
            self = .failure(id: id, RPCFailure(error))
        } else if let id, let result = members["result"] {
            self = .result(id: id, result)
        } else {
            return nil
        }
    }
}

/// The error of an answer.
package struct RPCFailure: Error, Hashable, Sendable {
    static let overloaded: Int64 = -32001
    static let signInNeeded: Int64 = -32000
    static let unknownMethod: Int64 = -32601

    package var code: Int64
    /// On one line, bounded.
    package var message: String

    init(code: Int64, message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: JSONValue) {
        code = error["code"]?.integerValue ?? 0
        message = AgentText.line(error["message"]?.stringValue ?? "")
    }
}

/// A reply to an agent's request.
package enum RPCReply: Hashable, Sendable {
    case result(JSONValue)
    case failure(code: Int64, message: String)
}

/// Writes lines of JSON-RPC.
struct RPCWriter: Sendable {
    /// Codex's dialect has no member `jsonrpc`.
    let hasVersion: Bool

    func request(_ id: Int64, _ method: String, _ parameters: JSONValue) -> [UInt8] {
        line(["id": .integer(id), "method": .string(method), "params": parameters])
    }

    func notification(_ method: String, _ parameters: JSONValue?) -> [UInt8] {
        var members: [String: JSONValue] = ["method": .string(method)]
        members["params"] = parameters
        return line(members)
    }

    func reply(_ id: JSONValue, _ reply: RPCReply) -> [UInt8] {
        switch reply {
        case .result(let result): line(["id": id, "result": result])
        case .failure(let code, let message):
            line(["id": id, "error": ["code": .integer(code), "message": .string(message)]])
        }
    }

    private func line(_ members: [String: JSONValue]) -> [UInt8] {
        var members = members
        if hasVersion { members["jsonrpc"] = "2.0" }
        return JSONValue.object(members).canonicalBytes + [0x0A]
    }
}
