import Foundation
public import Kernel

/// An envelope that asks for something: `<method>.request`, with the parameters as its data. Answered with `<method>.response`.
public struct BridgeRequest: Hashable, Sendable {
    static let requestEnding = ".request"
    static let responseEnding = ".response"
    /// The member of the data by which an asker tells one answer from another.
    static let idMember = "request_id"
    /// The longest id, in bytes.
    static let idLimit = 128

    /// The method without the ending; in lower case when it came from a client.
    public var method: String
    /// An object.
    public var params: JSONValue
    /// A text or a number, as it was written; nil where the asker gives none, and answers come in the order of the requests.
    public var id: JSONValue?

    public init(_ method: String, _ params: JSONValue = [:], id: JSONValue? = nil) {
        self.method = method
        self.params = params
        self.id = id
    }

    /// - Returns: Nil for a type that asks for nothing. Data that is no object counts as an empty one, as documented servers do; a text may
    ///   be an object in base64, which some of them write.
    public init?(type: String, data: JSONValue) {
        let type = BridgeMessage.normal(type)
        guard type.hasSuffix(Self.requestEnding), type.utf8.count > Self.requestEnding.utf8.count else { return nil }
        method = String(type.dropLast(Self.requestEnding.count))
        var members = data.objectValue ?? Self.members(inBase64: data) ?? [:]
        switch members.removeValue(forKey: Self.idMember) {
        case .string(let text)? where !text.isEmpty && text.utf8.count <= Self.idLimit: id = .string(text)
        case .integer(let number)?: id = .integer(number)
        default: id = nil
        }
        params = .object(members)
    }

    private static func members(inBase64 data: JSONValue) -> [String: JSONValue]? {
        guard let text = data.stringValue, let bytes = Data(base64Encoded: text) else { return nil }
        return (try? JSONValue(parsing: bytes))?.objectValue
    }

    /// The wire form.
    public var message: BridgeMessage {
        .envelope(type: method + Self.requestEnding, data: id.map { params.adding(Self.idMember, $0) } ?? params)
    }
}

/// The answer to a ``BridgeRequest``.
public struct BridgeResponse: Hashable, Sendable {
    /// The method of the request.
    public var method: String
    /// The request's; nil where that has none.
    public var id: JSONValue?
    /// The answer, or why there is none.
    public var outcome: Result<JSONValue, BridgeFailure>

    public init(_ method: String, id: JSONValue?, outcome: Result<JSONValue, BridgeFailure>) {
        self.method = method
        self.id = id
        self.outcome = outcome
    }

    /// - Returns: Nil for a type that answers nothing.
    public init?(type: String, data: JSONValue) {
        let type = BridgeMessage.normal(type)
        guard type.hasSuffix(BridgeRequest.responseEnding) else { return nil }
        method = String(type.dropLast(BridgeRequest.responseEnding.count))
        var members = data.objectValue ?? [:]
        id = members.removeValue(forKey: BridgeRequest.idMember)
        if let error = members["error"], let message = error["message"]?.stringValue {
            let code = error["code"]?.integerValue.flatMap(Int.init(exactly:))
            outcome = .failure(BridgeFailure(code: code ?? BridgeFailure.unknown, message: message))
        } else {
            outcome = .success(data.objectValue == nil ? data : .object(members))
        }
    }

    /// The wire form.
    public var message: BridgeMessage {
        let data: JSONValue
        switch outcome {
        case .success(let answer): data = answer.objectValue == nil && id != nil ? ["result": answer] : answer
        case .failure(let failure):
            data = ["error": ["code": .integer(Int64(failure.code)), "message": .string(failure.message)]]
        }
        return .envelope(
            type: method + BridgeRequest.responseEnding,
            data: id.map { data.adding(BridgeRequest.idMember, $0) } ?? data
        )
    }
}

/// The error that the computer answered in place of a result.
public struct BridgeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    static let unknown = -32603

    /// A JSON-RPC code, as commands have them.
    public var code: Int
    /// A sentence for the person.
    public var message: String

    public init(code: Int, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
