public import Kernel

/// One command to the process that owns a state folder: a line of JSON on its Unix socket.
public struct ControlRequest: Hashable, Codable, Sendable {
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

    enum CodingKeys: String, CodingKey {
        case id
        case method
        case params
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        method = try container.decode(String.self, forKey: .method)
        params = try container.decodeIfPresent(JSONValue.self, forKey: .params) ?? .object([:])
    }
}

/// One line from the process that asks: a request, more for one that runs, or the end of that.
package enum ControlAsk: Hashable, Sendable {
    case request(ControlRequest)
    case input(id: Int, JSONValue)
    case endOfInput(id: Int)
}

extension ControlAsk: Codable {
    enum CodingKeys: String, CodingKey {
        case id
        case input
        case end
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.input) {
            let value = try container.decode(JSONValue.self, forKey: .input)
            self = .input(id: try container.decode(Int.self, forKey: .id), value)
        } else if container.contains(.end) {
            self = .endOfInput(id: try container.decode(Int.self, forKey: .id))
        } else {
            self = .request(try ControlRequest(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .request(let request): try request.encode(to: encoder)
        case .input(let id, let value):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(value, forKey: .input)
        case .endOfInput(let id):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(true, forKey: .end)
        }
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
        let value = try JSONValue(parsing: line)
        guard let id = value["id"]?.integerValue.flatMap(Int.init(exactly:)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "an answer has no id"))
        }
        if let message = value["error"]?.stringValue {
            self = .failure(id: id, message: message)
        } else if let item = value["item"] {
            self = .item(id: id, item)
        } else {
            self = .result(id: id, value["result"] ?? .null)
        }
    }
}
