import Conversations
import Kernel

/// A form that an MCP server asks a person to fill in: one question for each member of a flat JSON schema.
struct ElicitationForm: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case text, whole, number, truth
        case list
    }

    private struct Field: Hashable, Sendable {
        var question: Approval.Question
        var kind: Kind
        var isRequired: Bool
        /// The values that the choices stand for, where the schema gives them titles.
        var values: [String: String]
    }

    /// Members of one form.
    static let fieldLimit = 20
    private static let choiceLimit = 100

    private let fields: [Field]

    var questions: [Approval.Question] { fields.map(\.question) }

    /// Nil for a schema that is no form of this kind. A schema without members is a form without questions.
    init?(schema: JSONValue?) {
        guard let properties = schema?["properties"]?.objectValue else {
            guard schema == nil || schema == .null || schema?.objectValue != nil else { return nil }
            fields = []
            return
        }
        guard properties.count <= Self.fieldLimit else { return nil }
        let required = Set((schema?["required"]?.arrayValue ?? []).compactMap(\.stringValue))
        var fields: [Field] = []
        for (name, property) in properties.sorted(by: { $0.key < $1.key }) {
            guard name.utf8.count <= 200, let field = Self.field(name, property, isRequired: required.contains(name))
            else { return nil }
            fields.append(field)
        }
        self.fields = fields
    }

    private static func field(_ name: String, _ property: JSONValue, isRequired: Bool) -> Field? {
        let isList = property["type"]?.stringValue == "array"
        guard let choices = choices(of: isList ? property["items"] ?? .null : property) else { return nil }
        let kind: Kind
        var names = choices.names
        switch property["type"]?.stringValue {
        case "string"?: kind = .text
        case "integer"?: kind = .whole
        case "number"?: kind = .number
        case "boolean"?:
            kind = .truth
            names = ["true", "false"]
        case "array"? where !names.isEmpty: kind = .list
        default: return nil
        }
        let words = [property["title"]?.stringValue ?? name, property["description"]?.stringValue].compactMap(\.self)
        return Field(
            question: Approval.Question(
                id: name,
                text: AgentText.line(words.joined(separator: ": "), limit: 2000),
                choices: names,
                details: choices.details,
                allowsSeveral: isList,
                allowsText: names.isEmpty,
                isSecret: property["format"]?.stringValue == "password"
            ),
            kind: kind,
            isRequired: isRequired,
            values: choices.values
        )
    }

    /// Nil for more choices than can be shown.
    private static func choices(
        of property: JSONValue
    ) -> (names: [String], values: [String: String], details: [String: Approval.ChoiceDetail])? {
        var details: [String: Approval.ChoiceDetail] = [:]
        var names: [String] = []
        var values: [String: String] = [:]
        func add(_ value: String, titled title: String?, described description: JSONValue? = nil) {
            let name = AgentText.line(title ?? value, limit: 200)
            guard values[name] == nil else { return }
            names.append(name)
            values[name] = value
            details[name] = AgentText.detail(description)
        }
        if let plain = property["enum"]?.arrayValue {
            guard plain.count <= choiceLimit else { return nil }
            let titles = property["enumNames"]?.arrayValue
            for (index, value) in plain.enumerated() {
                guard let value = value.stringValue else { return nil }
                add(value, titled: titles.flatMap { index < $0.count ? $0[index].stringValue : nil })
            }
        } else if let titled = (property["oneOf"] ?? property["anyOf"])?.arrayValue {
            guard titled.count <= choiceLimit else { return nil }
            for choice in titled {
                guard let value = choice["const"]?.stringValue else { return nil }
                add(value, titled: choice["title"]?.stringValue, described: choice["description"])
            }
        }
        return (names, values, details)
    }

    /// The form's content.
    ///
    /// - Throws: `answerMissing`.
    func content(of answers: [String: [String]]) throws(AgentError) -> JSONValue {
        var content: [String: JSONValue] = [:]
        for field in fields {
            let given = (answers[field.question.id] ?? []).filter { !$0.isEmpty }
            guard !given.isEmpty else {
                guard !field.isRequired else { throw .answerMissing(question: field.question.text) }
                continue
            }
            guard let value = Self.value(of: given, for: field) else {
                throw .answerMissing(question: field.question.text)
            }
            content[field.question.id] = value
        }
        return .object(content)
    }

    private static func value(of given: [String], for field: Field) -> JSONValue? {
        if !field.values.isEmpty {
            let chosen = given.compactMap { field.values[$0] }
            guard chosen.count == given.count else { return nil }
            if field.kind == .list { return .array(chosen.map { .string($0) }) }
            return chosen.count == 1 ? .string(chosen[0]) : nil
        }
        guard given.count == 1 else { return nil }
        return switch field.kind {
        case .text: .string(given[0])
        case .whole: Int64(given[0]).map { .integer($0) }
        case .number: Double(given[0]).flatMap { $0.isFinite ? .number($0) : nil }
        case .truth: ["true": true, "false": false][given[0]].map { .bool($0) }
        case .list: nil
        }
    }
}

extension AgentRequest {
    /// A request of an MCP server for words of the person, in Codex's members. Claude Code's are the same but for their names.
    ///
    /// - Parameter tellsNoContent: An answer without content leaves the member out, as the Agent Client Protocol has it.
    static func elicitation(
        server: String,
        mode: String?,
        message: String,
        schema: JSONValue?,
        address: String?,
        meta: JSONValue?,
        tellsNoContent: Bool = false,
        unknown: @autoclosure () -> AgentRequest
    ) -> AgentRequest {
        let reason = AgentText.line(server.isEmpty ? message : "\(server): \(message)", limit: 2000)
        @Sendable func answered(_ action: String, _ content: JSONValue, meta: JSONValue? = nil) -> RPCReply {
            var members: [String: JSONValue] = ["action": .string(action)]
            if content != .null || !tellsNoContent { members["content"] = content }
            members["_meta"] = meta
            return .result(.object(members))
        }
        let declining = [
            Approval.Option(id: "decline", kind: .decline), Approval.Option(id: "cancel", kind: .cancel),
        ]
        if mode == "url" {
            guard let address, address.utf8.count <= 4096 else { return unknown() }
            return AgentRequest(
                subject: .permissions(["Open \(address)"]),
                reason: reason,
                options: [Approval.Option(id: "accept", kind: .allowOnce)] + declining,
                reply: { answer throws(AgentError) in answered(answer.optionID, .null) }
            )
        }
        guard mode == nil || mode == "form" || !tellsNoContent else { return unknown() }
        guard let form = ElicitationForm(schema: schema) else { return unknown() }
        guard form.questions.isEmpty else {
            return AgentRequest(
                subject: .questions(form.questions),
                reason: reason,
                options: [Approval.Option(id: "accept", kind: .submit)] + declining,
                reply: { answer throws(AgentError) in
                    guard answer.optionID == "accept" else { return answered(answer.optionID, .null) }
                    return answered("accept", try form.content(of: answer.answers))
                }
            )
        }
        // Without questions it asks for a yes or a no: so Codex asks before it uses a tool of an MCP server.
        let lasting = (meta?["persist"]?.arrayValue ?? [meta?["persist"]].compactMap(\.self)).compactMap(\.stringValue)
        var options = [Approval.Option(id: "accept", kind: .allowOnce)]
        if lasting.contains("session") { options.append(Approval.Option(id: "session", kind: .allowForSession)) }
        if lasting.contains("always") {
            options.append(
                Approval.Option(id: "always", name: "Allow always", kind: .other("allow_always"))
            )
        }
        var shown: [String: JSONValue] = ["message": .string(message)]
        shown["details"] = meta == .null ? nil : meta
        // Too long to be shown whole, it keeps only the answers that decline.
        let subject =
            AskedText.tool(server.isEmpty ? "elicitation" : server, id: nil, JSONValue.object(shown).canonicalText)
            ?? unknown().subject
        return AgentRequest(
            subject: subject,
            reason: reason,
            options: options + declining,
            reply: { answer throws(AgentError) in
                switch answer.optionID {
                case "session", "always":
                    answered("accept", .object([:]), meta: ["persist": .string(answer.optionID)])
                case "accept": answered("accept", .object([:]))
                default: answered(answer.optionID, .null)
                }
            }
        )
    }
}
