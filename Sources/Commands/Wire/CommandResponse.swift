import Foundation
package import Kernel

/// The desktop's answer to one request. Source: `docs/protocol.md`, "Command envelopes".
package struct CommandResponse: Hashable, Sendable {
    /// The request's, as a text.
    package var id: String
    /// The result, or what stands in its place.
    package var outcome: Result<JSONValue, RemoteFailure>

    package init(id: String, outcome: Result<JSONValue, RemoteFailure>) {
        self.id = id
        self.outcome = outcome
    }

    package init(refusing id: String, _ failure: RemoteFailure) { self.init(id: id, outcome: .failure(failure)) }

    /// The answer in place of one that does not fit into a message.
    package static func tooLarge(_ id: String, bytes: Int, limit: Int) -> CommandResponse {
        let message = "The answer is \(bytes) bytes and \(limit) fit. Ask for a part of it."
        return CommandResponse(refusing: id, RemoteFailure(code: FailureCode.internalError, message: message))
    }
}

/// The error that the other side answered in place of a result.
public struct RemoteFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A JSON-RPC code, for example -32601 for a method that no skill serves.
    public var code: Int
    /// The message of the answer: a sentence, or a documented word for programs.
    public var message: String
    /// The sentence for the person where ``message`` is a documented word for programs. Not part of the answer: the feature that was
    /// asked knows it.
    public var explanation: String?

    public init(code: Int, message: String, explanation: String? = nil) {
        self.code = code
        self.message = message
        self.explanation = explanation
    }

    /// The documented word for programs, where the answer says one.
    public var word: String? { explanation == nil ? nil : message }

    public var description: String { explanation ?? message }
}

extension CommandResponse {
    /// The envelope's `type`.
    package static let type = "chainlesschain:command:response"

    /// The envelope in the asker's form, under the id as the asker wrote it.
    package func envelope(answering request: CommandRequest) -> JSONValue {
        envelope(form: request.form, id: request.writtenID)
    }

    /// The documented error is a text; `code` beside it is ours and optional.
    package func envelope(form: CommandRequest.Form) -> JSONValue { envelope(form: form, id: .string(id)) }

    private func envelope(form: CommandRequest.Form, id: JSONValue) -> JSONValue {
        switch (form, outcome) {
        case (.object, .success(let result)):
            ["type": .string(Self.type), "payload": ["id": id, "result": result]]
        case (.object, .failure(let failure)):
            [
                "type": .string(Self.type),
                "payload": [
                    "id": id, "error": .string(failure.message), "code": .integer(Int64(failure.code)),
                ],
            ]
        case (.text, .success(let result)):
            Self.textEnvelope(["jsonrpc": "2.0", "id": id, "result": result, "error": .null])
        case (.text, .failure(let failure)):
            Self.textEnvelope([
                "jsonrpc": "2.0", "id": id, "result": .null,
                "error": ["code": .integer(Int64(failure.code)), "message": .string(failure.message)],
            ])
        }
    }

    private static func textEnvelope(_ payload: JSONValue) -> JSONValue {
        ["type": .string(type), "payload": .string(payload.canonicalText)]
    }

    /// Reads every observed shape: payload an object or a text; error absent, null, a text or an object. An error wins over
    /// a result; neither means an empty object.
    ///
    /// - Throws: ``RemoteError/malformedResult``.
    package init(envelope: JSONValue) throws(RemoteError) {
        guard envelope["type"]?.stringValue == Self.type else { throw .malformedResult }
        guard let payload = envelope["payload"]?.parsedIfText(), let id = CommandRequest.identifier(payload["id"])
        else {
            throw .malformedResult
        }
        let code = payload["code"]?.integerValue.flatMap(Int.init(exactly:))
        switch payload["error"] {
        case nil, .null?:
            self.init(id: id, outcome: .success(payload["result"] ?? .object([:])))
        case .string(let message)?:
            self.init(id: id, outcome: .failure(Self.failure(code, message)))
        case let error?:
            let message = error["message"]?.stringValue ?? "The computer answered with an error and did not say why."
            let code = error["code"]?.integerValue.flatMap(Int.init(exactly:)) ?? code
            self.init(id: id, outcome: .failure(Self.failure(code, message)))
        }
    }

    /// Existing programs name a method that they do not have in their source's words, under the code of any error.
    private static func failure(_ code: Int?, _ message: String) -> RemoteFailure {
        guard message.hasPrefix(unknownAction), (code ?? FailureCode.internalError) == FailureCode.internalError else {
            return RemoteFailure(code: code ?? FailureCode.internalError, message: message)
        }
        let name = message.dropFirst(unknownAction.count).prefix(100)
        return RemoteFailure(
            code: FailureCode.unknownMethod,
            message: "The program on the computer does not know the command \(name). Update it, or do without."
        )
    }

    private static let unknownAction = "Unknown action: "
}
