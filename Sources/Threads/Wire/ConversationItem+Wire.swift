package import Commands
public import Conversations
public import Kernel

/// The wire form of an item. Source: `docs/protocol.md`, "Threads".
extension ConversationItem {
    /// - Parameters:
    ///   - cursor: Where the item begins, for ``ThreadMethods/item``.
    ///   - limit: UTF-8 bytes that are kept of one text.
    public func wire(at cursor: ConversationCursor? = nil, textLimit limit: Int = ThreadLimits.pageText) -> JSONValue {
        var members: [String: JSONValue] = ["id": .string(id)]
        members["at"] = milliseconds.map(JSONValue.integer)
        members["cursor"] = .string((cursor ?? ConversationCursor(offset: position)).text)
        members["message_id"] = messageID.map(JSONValue.string)
        content.write(to: &members, textLimit: limit)
        return .object(members)
    }

    /// Nil for what has no id. A kind that is not known here is ``Content/unknown(type:)``.
    public init?(wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let id = members.text("id") else { return nil }
        self.init(
            id: id,
            milliseconds: members.integer("at"),
            position: members.text("cursor").flatMap(ConversationCursor.init(text:))?.offset ?? 0,
            messageID: members.text("message_id"),
            content: Content(members)
        )
    }
}

extension ConversationItem.Content {
    fileprivate func write(to members: inout [String: JSONValue], textLimit limit: Int) {
        switch self {
        case .userMessage(let text): text.write(as: "user", to: &members, limit)
        case .agentMessage(let text): text.write(as: "agent", to: &members, limit)
        case .reasoning(let text): text.write(as: "reasoning", to: &members, limit)
        case .compaction(let text): text.write(as: "summary", to: &members, limit)
        case .toolCall(let call):
            call.arguments.write(as: "call", to: &members, limit)
            members["name"] = .string(call.name)
            members["call_id"] = call.callID.map(JSONValue.string)
        case .toolOutput(let output):
            output.text.write(as: "output", to: &members, limit)
            members["call_id"] = output.callID.map(JSONValue.string)
            output.outcome.write(to: &members)
        case .fileChange(let change):
            members["kind"] = "change"
            change.write(to: &members, textLimit: limit)
        case .plan(let plan):
            members["kind"] = "plan"
            plan.explanation?.write(as: "plan", to: &members, limit)
            members["call_id"] = plan.callID.map(JSONValue.string)
            members["steps"] = .array(
                plan.steps.map { ["text": .string($0.text), "state": .string($0.state.word)] }
            )
        case .image(let image):
            members["kind"] = "image"
            members["origin"] = .string(image.origin.rawValue)
            members["type"] = image.mediaType.map(JSONValue.string)
            members["bytes"] = image.byteCount.map { .integer(Int64($0)) }
            members["location"] = image.location.map(JSONValue.string)
        case .notice(let notice):
            notice.text.write(as: "notice", to: &members, limit)
            members["notice"] = .string(notice.kind.word)
        case .unknown(let type):
            members["kind"] = "unknown"
            members["type"] = .string(type)
        }
    }

    fileprivate init(_ members: AnswerMembers) {
        let text = ItemText(members)
        let call = members.text("call_id")
        self =
            switch members.text("kind") {
            case "user": .userMessage(text)
            case "agent": .agentMessage(text)
            case "reasoning": .reasoning(text)
            case "summary": .compaction(text)
            case "call": .toolCall(ToolCall(callID: call, name: members.text("name") ?? "", arguments: text))
            case "output": .toolOutput(ToolOutput(callID: call, text: text, outcome: ToolOutcome(members)))
            case "change": .fileChange(FileChange(members))
            case "plan":
                .plan(
                    Plan(
                        callID: call,
                        explanation: text.text.isEmpty ? nil : text,
                        steps: (members.list("steps", limit: FileChange.fileLimit) ?? []).map {
                            Plan.Step(
                                text: $0["text"]?.stringValue ?? "",
                                state: Plan.StepState(word: $0["state"]?.stringValue ?? "")
                            )
                        }
                    )
                )
            case "image":
                .image(
                    ImageLeftOut(
                        origin: members.text("origin").flatMap(ImageLeftOut.Origin.init(rawValue:)) ?? .tool,
                        mediaType: members.text("type"),
                        byteCount: members.count("bytes"),
                        location: members.text("location")
                    )
                )
            case "notice": .notice(Notice(kind: Notice.Kind(word: members.text("notice") ?? ""), text: text))
            case "unknown": .unknown(type: members.text("type") ?? "")
            case let kind: .unknown(type: kind ?? "")
            }
    }
}

extension FileChange {
    package func write(to members: inout [String: JSONValue], textLimit limit: Int) {
        let kind = members["kind"]
        patch.write(as: "change", to: &members, limit)
        members["kind"] = kind
        members["call_id"] = callID.map(JSONValue.string)
        outcome.write(to: &members)
        members["files"] = .array(
            files.map { file in
                var member: [String: JSONValue] = ["path": .string(file.path), "kind": .string(file.kind.word)]
                if case .moved(let path) = file.kind { member["to"] = .string(path) }
                return .object(member)
            }
        )
    }

    package init(_ members: AnswerMembers) {
        self.init(
            callID: members.text("call_id"),
            files: (members.list("files", limit: Self.fileLimit) ?? []).map {
                let to = $0["to"]?.stringValue
                return File(
                    path: $0["path"]?.stringValue ?? "",
                    kind: Kind(word: $0["kind"]?.stringValue ?? "", to: to)
                )
            },
            patch: ItemText(members),
            outcome: ToolOutcome(members)
        )
    }
}

extension FileChange.Kind {
    private static let words: WordTable<FileChange.Kind> = [
        "added": .added, "updated": .updated, "deleted": .deleted, "written": .written,
    ]

    fileprivate var word: String { if case .moved = self { "moved" } else { Self.words.word(of: self) } }

    fileprivate init(word: String, to path: String?) {
        self = if word == "moved", let path { .moved(to: path) } else { Self.words.known(word) ?? .updated }
    }
}

extension ToolOutcome {
    fileprivate func write(to members: inout [String: JSONValue]) {
        switch self {
        case .succeeded: members["outcome"] = "ok"
        case .failed(let code):
            members["outcome"] = "failed"
            members["code"] = code.map(JSONValue.integer)
        case .unknown: members["outcome"] = "unknown"
        }
    }

    fileprivate init(_ members: AnswerMembers) {
        self =
            switch members.text("outcome") {
            case "ok": .succeeded
            case "failed": .failed(code: members.integer("code"))
            default: .unknown
            }
    }
}

extension Plan.StepState {
    private static let words: WordTable<Plan.StepState> = ["pending": .pending, "running": .running, "done": .done]

    fileprivate var word: String { if case .other(let word) = self { word } else { Self.words.word(of: self) } }

    fileprivate init(word: String) { self = Self.words.known(word) ?? .other(word) }
}

extension Notice.Kind {
    private static let words: WordTable<Notice.Kind> = [
        "error": .error, "interrupted": .interrupted, "command": .command, "review": .review, "goal": .goal,
    ]

    fileprivate var word: String { if case .other(let word) = self { word } else { Self.words.word(of: self) } }

    fileprivate init(word: String) { self = Self.words.known(word) ?? .other(word) }
}

extension ItemText {
    /// Writes `kind`, `text` and what was left out of it.
    package func write(as kind: String, to members: inout [String: JSONValue], _ limit: Int) {
        let kept = text.prefixOfUTF8(limit)
        members["kind"] = .string(kind)
        members["text"] = .string(String(kept))
        if isCut || kept.endIndex < text.endIndex {
            members["is_cut"] = true
            members["length"] = .integer(Int64(fullLength))
        }
        if foldedCount > 0 { members["folded"] = .integer(Int64(foldedCount)) }
    }

    package init(_ members: AnswerMembers) {
        let text = members.text("text") ?? ""
        self.init(
            text: text,
            fullLength: members.count("length") ?? text.utf8.count,
            foldedCount: members.count("folded") ?? 0,
            isCut: members.flag("is_cut") ?? false
        )
    }
}
