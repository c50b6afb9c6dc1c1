public import Kernel

/// The envelope of every answer: `{"errCode":0,"errMsg":"","errDlt":"","data":{…}}`; of a failure
/// `{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":": 1004 RecordNotFoundError"}`, seldom with data.
public struct IMEnvelope: Codable, Hashable, Sendable {
    /// ``IMErrorCode/none`` for an answer with data.
    public var errCode: IMErrorCode
    /// ``IMErrorCode/name``; empty without an error.
    public var errMsg: String
    /// The sentence for the person, a colon, the code and its name; empty without an error.
    public var errDlt: String
    /// The case of a refusal as one word, such as `nameTaken`, for clients with sentences of their own. Ours: other hubs tell none.
    public var reason: String?
    public var data: JSONValue?

    /// An answer.
    public init(_ data: JSONValue = [:]) {
        (errCode, errMsg, errDlt) = (.none, "", "")
        self.data = data
    }

    public init(_ failure: IMFailure) {
        (errCode, errMsg) = (failure.code, failure.code.name)
        errDlt = failure.detail + failure.suffix
        reason = failure.reason
        data = failure.data
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        errCode = try container.decode(IMErrorCode.self, forKey: .errCode)
        errMsg = try container.decodeIfPresent(String.self, forKey: .errMsg) ?? ""
        errDlt = try container.decodeIfPresent(String.self, forKey: .errDlt) ?? ""
        // A word that nobody knows is as good as none, so one of another kind refuses no answer.
        reason = try? container.decodeIfPresent(String.self, forKey: .reason)
        data = try container.decodeIfPresent(JSONValue.self, forKey: .data)
    }

    enum CodingKeys: String, CodingKey {
        case errCode, errMsg, errDlt, reason, data
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
    /// Bytes of a reason that is taken from a hub.
    private static let longestReason = 64

    public let code: IMErrorCode
    /// The sentence for the person: what happened, then what to do. Empty of hubs that say no more than the code.
    public let detail: String
    /// As ``IMEnvelope/reason``; nil of hubs that tell none, and for a word of more than 64 bytes.
    public let reason: String?
    /// What the asker needs to do it right the next time; nil mostly.
    public let data: JSONValue?

    public init(_ code: IMErrorCode, detail: String = "", reason: String? = nil, data: JSONValue? = nil) {
        self.code = code
        self.detail = detail
        self.reason = reason
        self.data = data
    }

    init(_ envelope: IMEnvelope) {
        code = envelope.errCode
        data = envelope.data
        let suffix = ": \(envelope.errCode.rawValue) \(envelope.errMsg)"
        let text = envelope.errDlt
        detail = text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
        reason = envelope.reason.flatMap { $0.utf8.count <= Self.longestReason ? $0 : nil }
    }

    var suffix: String { ": \(code)" }

    public var description: String { detail.isEmpty ? "The hub refused: \(code)." : detail }
}
