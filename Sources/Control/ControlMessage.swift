public import Kernel

/// One command to the process that owns a state folder: a line of JSON on its Unix socket.
public struct ControlRequest: Hashable, Sendable {
    /// Chosen by the caller; every answer to this request carries it.
    public var id: Int
    /// In full, for example `devices.list`.
    public var method: String
    /// The method's parameters; an empty object for none.
    public var params: JSONValue

    public init(id: Int, method: String, params: JSONValue = .object([:])) {
        self.id = id
        self.method = method
        self.params = params
    }
}

/// One line from the process that asks: a request, more for one that runs, or the end of that.
package enum ControlAsk: Hashable, Sendable {
    case request(ControlRequest)
    case input(id: Int, JSONValue)
    case endOfInput(id: Int)
}

extension ControlAsk {
    /// The line of JSON, without its line feed.
    var bytes: [UInt8] {
        let (id, members): (Int, [String: JSONValue]) =
            switch self {
            case .request(let request): (request.id, ["method": .string(request.method), "params": request.params])
            case .input(let id, let value): (id, ["input": value])
            case .endOfInput(let id): (id, ["end": true])
            }
        return JSONValue.object(members).adding("id", .integer(Int64(id))).canonicalBytes
    }

    /// - Throws: `DecodingError` for a line that is none of these.
    init(parsing line: some Sequence<UInt8>) throws {
        let (value, id) = try JSONValue.numbered(line)
        if let input = value["input"] {
            self = .input(id: id, input)
        } else if value["end"] != nil {
            self = .endOfInput(id: id)
        } else {
            guard let method = value["method"]?.stringValue else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a request has no method"))
            }
            let params = value["params"] ?? .null
            self = .request(ControlRequest(id: id, method: method, params: params == .null ? [:] : params))
        }
    }
}

extension JSONValue {
    /// The value of a line that carries a request's id.
    fileprivate static func numbered(_ line: some Sequence<UInt8>) throws -> (JSONValue, id: Int) {
        let value = try JSONValue(parsing: line)
        guard let id = value["id"]?.integerValue.flatMap(Int.init(exactly:)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a line has no id"))
        }
        return (value, id)
    }
}

/// One line of answer. A request gets any number of items, then exactly one result or error.
package enum ControlAnswer: Hashable, Sendable {
    case item(id: Int, JSONValue)
    case result(id: Int, JSONValue)
    case failure(id: Int, message: String)

    package var id: Int {
        switch self {
        case .item(let id, _), .result(let id, _), .failure(let id, _): id
        }
    }
}

extension ControlAnswer {
    /// The answer's line of JSON, without its line feed.
    package var bytes: [UInt8] {
        let (name, value): (String, JSONValue) =
            switch self {
            case .item(_, let value): ("item", value)
            case .result(_, let value): ("result", value)
            case .failure(_, let message): ("error", .string(message))
            }
        return JSONValue.object(["id": .integer(Int64(id)), name: value]).canonicalBytes
    }

    /// Reads an answer's line.
    ///
    /// - Throws: `DecodingError` for a line that is no answer.
    package init(parsing line: some Sequence<UInt8>) throws {
        let (value, id) = try JSONValue.numbered(line)
        if let message = value["error"]?.stringValue {
            self = .failure(id: id, message: message)
        } else if let item = value["item"] {
            self = .item(id: id, item)
        } else {
            self = .result(id: id, value["result"] ?? .null)
        }
    }
}
