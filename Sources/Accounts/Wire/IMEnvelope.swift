public import Kernel

/// The envelope of every answer: `{"errCode":0,"errMsg":"","errDlt":"","data":{…}}`; of a failure
/// `{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":": 1004 RecordNotFoundError"}`, without data.
public struct IMEnvelope: Codable, Hashable, Sendable {
    /// ``IMErrorCode/none`` for an answer with data.
    public var errCode: IMErrorCode
    /// ``IMErrorCode/name``; empty without an error.
    public var errMsg: String
    /// The sentence for the person, a colon, the code and its name; empty without an error.
    public var errDlt: String
    public var data: JSONValue?

    /// An answer.
    public init(_ data: JSONValue = [:]) {
        (errCode, errMsg, errDlt) = (.none, "", "")
        self.data = data
    }

    public init(_ failure: IMFailure) {
        (errCode, errMsg) = (failure.code, failure.code.name)
        errDlt = failure.detail + failure.suffix
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        errCode = try container.decode(IMErrorCode.self, forKey: .errCode)
        errMsg = try container.decodeIfPresent(String.self, forKey: .errMsg) ?? ""
        errDlt = try container.decodeIfPresent(String.self, forKey: .errDlt) ?? ""
        data = try container.decodeIfPresent(JSONValue.self, forKey: .data)
    }

    enum CodingKeys: String, CodingKey {
        case errCode, errMsg, errDlt, data
    }

    /// The data of an answer; an empty object where it has none.
    ///
    /// - Throws: The failure that the hub told.
    public func result() throws(IMFailure) -> JSONValue {
        guard errCode == .none else { throw IMFailure(self) }
        return data ?? [:]
    }
}

/// A refusal as it travels in an ``IMEnvelope``.
public struct IMFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: IMErrorCode
    /// The sentence for the person: what happened, then what to do. Empty of hubs that say no more than the code.
    public let detail: String

    public init(_ code: IMErrorCode, detail: String = "") {
        self.code = code
        self.detail = detail
    }

    init(_ envelope: IMEnvelope) {
        code = envelope.errCode
        let suffix = ": \(envelope.errCode.rawValue) \(envelope.errMsg)"
        let text = envelope.errDlt
        detail = text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
    }

    var suffix: String { ": \(code)" }

    public var description: String { detail.isEmpty ? "The hub refused: \(code)." : detail }
}
