import Commands
public import Conversations
public import Kernel

/// The wire form of an approval. Source: `docs/protocol.md`, "Threads".
extension Approval {
    /// A command line and a patch are never cut here: a person allows what is shown.
    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "thread_id": .string(thread.id), "source": .string(thread.agent.rawValue),
            "at": .integer(milliseconds), "options": .array(options.map(\.wire)),
        ]
        members["reason"] = reason.map(JSONValue.string)
        switch subject {
        case .command(let command):
            members["kind"] = "command"
            members["command"] = .string(command.line)
            members["cwd"] = command.folder.map(JSONValue.string)
        case .fileChange(let change):
            members["kind"] = "change"
            change.write(to: &members, textLimit: ItemText.limit)
        case .tool(let call):
            call.arguments.write(as: "tool", to: &members, ItemText.limit)
            members["name"] = .string(call.name)
        case .permissions(let lines):
            members["kind"] = "permissions"
            members["lines"] = .array(lines.map(JSONValue.string))
        case .questions(let questions):
            members["kind"] = "questions"
            members["questions"] = .array(questions.map(\.wire))
        case .unknown(let method, let raw):
            raw.write(as: "unknown", to: &members, ItemText.limit)
            members["method"] = .string(method)
        }
        return .object(members)
    }

    /// Nil for what has no id, no thread or no option.
    public init?(wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let id = members.text("id"),
            let thread = members.text("thread_id"), let source = members.text("source")
        else { return nil }
        let options = (members.list("options", limit: 2 * Self.optionLimit) ?? []).compactMap(Option.init)
        guard !options.isEmpty else { return nil }
        self.init(
            id: id,
            thread: ThreadReference(agent: Agent(rawValue: source), id: thread),
            milliseconds: members.integer("at") ?? 0,
            subject: Subject(members),
            reason: members.text("reason"),
            options: options
        )
    }
}

extension Approval.Subject {
    fileprivate init(_ members: AnswerMembers) {
        self =
            switch members.text("kind") {
            case "command":
                .command(Approval.Command(line: members.text("command") ?? "", folder: members.text("cwd")))
            case "change": .fileChange(FileChange(members))
            case "tool": .tool(ToolCall(name: members.text("name") ?? "", arguments: ItemText(members)))
            case "permissions": .permissions((members.list("lines", limit: 100) ?? []).compactMap(\.stringValue))
            case "questions":
                .questions((members.list("questions", limit: 50) ?? []).compactMap(Approval.Question.init))
            case let kind: .unknown(method: members.text("method") ?? kind ?? "", raw: ItemText(members))
            }
    }
}

extension Approval.Option {
    fileprivate init?(_ wire: JSONValue) {
        guard let id = wire["id"]?.stringValue else { return nil }
        self.init(
            id: id,
            name: wire["name"]?.stringValue,
            kind: Kind(rawValue: wire["kind"]?.stringValue ?? "")
        )
    }

    fileprivate var wire: JSONValue {
        var members: [String: JSONValue] = ["id": .string(id), "kind": .string(kind.rawValue)]
        members["name"] = name.map(JSONValue.string)
        return .object(members)
    }
}

extension Approval.Question {
    fileprivate init?(_ wire: JSONValue) {
        guard let id = wire["id"]?.stringValue else { return nil }
        self.init(
            id: id,
            text: wire["text"]?.stringValue ?? "",
            header: wire["header"]?.stringValue,
            choices: (wire["choices"]?.arrayValue ?? []).prefix(Self.choiceLimit).compactMap(\.stringValue),
            details: Self.details(wire),
            allowsSeveral: wire["several"]?.boolValue ?? false,
            allowsText: wire["free_text"]?.boolValue ?? true,
            isSecret: wire["secret"]?.boolValue ?? false
        )
    }

    /// Choices of one question that are read.
    private static let choiceLimit = 100

    /// One entry for each choice, in their order.
    private static func details(_ wire: JSONValue) -> [String: Approval.ChoiceDetail] {
        var details: [String: Approval.ChoiceDetail] = [:]
        for (choice, detail) in zip(wire["choices"]?.arrayValue ?? [], wire["details"]?.arrayValue ?? []).prefix(
            choiceLimit
        ) {
            guard let name = choice.stringValue else { continue }
            let text = detail["text"]?.stringValue
            let preview = detail["preview"]?.stringValue.map {
                ItemText(
                    $0,
                    limit: Approval.ChoiceDetail.previewLimit,
                    isCutAlready: detail["is_cut"]?.boolValue == true
                )
            }
            guard text != nil || preview != nil else { continue }
            details[name] = Approval.ChoiceDetail(text: text, preview: preview)
        }
        return details
    }

    fileprivate var wire: JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "text": .string(text), "choices": .array(choices.map(JSONValue.string)),
            "several": .bool(allowsSeveral), "free_text": .bool(allowsText), "secret": .bool(isSecret),
        ]
        members["header"] = header.map(JSONValue.string)
        if !details.isEmpty { members["details"] = .array(choices.map { details[$0]?.wire ?? [:] }) }
        return .object(members)
    }
}

extension Approval.ChoiceDetail {
    fileprivate var wire: JSONValue {
        var members: [String: JSONValue] = [:]
        members["text"] = text.map(JSONValue.string)
        members["preview"] = (preview?.text).map(JSONValue.string)
        if preview?.isCut == true { members["is_cut"] = true }
        return .object(members)
    }
}
