public import Kernel

/// The frame of each answer of existing servers: a code, words for people and for developers, and the answer itself.
public struct OpenIMEnvelope: ChatWire {
    public var code: OpenIMErrorCode
    /// For people and logs; empty on success.
    public var message: String
    /// For developers; empty on success.
    public var detail: String
    /// The answer; an empty object with a failure.
    public var data: JSONValue

    public init(data: JSONValue) {
        code = .none
        message = ""
        detail = ""
        self.data = data
    }

    public init(failure code: OpenIMErrorCode, message: String, detail: String = "") {
        self.code = code
        self.message = message
        self.detail = detail
        data = [:]
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer")
        guard let number = members.integer("errCode"), let code = Int(exactly: number) else {
            throw .malformed("errCode")
        }
        self.code = OpenIMErrorCode(rawValue: code)
        message = members.text("errMsg") ?? ""
        detail = members.text("errDlt") ?? ""
        data = members.value("data") ?? [:]
    }

    public var wire: JSONValue {
        ["errCode": .whole(code.rawValue), "errMsg": .string(message), "errDlt": .string(detail), "data": data]
    }

    /// The answer.
    ///
    /// - Throws: ``ChatError/refused(_:)``; what the answer throws when it is read.
    public func answer<Answer: ChatWire>(as type: Answer.Type) throws(ChatError) -> Answer {
        guard code == .none else { throw .refused(code) }
        return try Answer(wire: data)
    }
}
