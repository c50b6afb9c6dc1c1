public import Commands
public import Conversations
import Foundation
public import Kernel

extension ThreadAttachment {
    init(_ wire: JSONValue) throws(RemoteFailure) {
        let parameters = RemoteParameters(wire)
        if let path = try parameters.optionalText("path", limit: ThreadLimits.path), !path.isEmpty {
            self = .path(path)
            return
        }
        let name = try parameters.text("name", limit: 255)
        let type = try parameters.optionalText("type", limit: 100) ?? "application/octet-stream"
        let text = try parameters.text("data", limit: ThreadLimits.attachments * 4 / 3 + 4)
        guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else {
            throw .badParameter("data", "base64 of at least one byte")
        }
        self = .data(name: name, type: type, bytes: Array(bytes))
    }

    var wire: JSONValue {
        switch self {
        case .path(let path): ["path": .string(path)]
        case .data(let name, let type, let bytes):
            [
                "name": .string(name), "type": .string(type),
                "data": .string(Data(bytes).base64EncodedString()),
            ]
        }
    }
}

extension ThreadPrompt {
    init(_ wire: RemoteParameters) throws(RemoteFailure) {
        let text = try wire.optionalText("text", limit: ThreadLimits.prompt) ?? ""
        var attachments: [ThreadAttachment] = []
        if let given = wire.value["attachments"], given != .null {
            guard let list = given.arrayValue, list.count <= ThreadLimits.attachmentCount else {
                throw .badParameter("attachments", "at most \(ThreadLimits.attachmentCount) files")
            }
            for member in list { attachments.append(try ThreadAttachment(member)) }
        }
        let size = attachments.reduce(0) { sum, attachment in
            if case .data(_, _, let bytes) = attachment { sum + bytes.count } else { sum }
        }
        guard size <= ThreadLimits.attachments else {
            throw .badParameter("attachments", "at most \(ThreadLimits.attachments >> 10) KiB together")
        }
        guard !attachments.isEmpty || text.contains(where: { !$0.isWhitespace }) else {
            throw .badParameter("text", "a text of 1 to \(ThreadLimits.prompt) bytes")
        }
        self.init(text, attachments: attachments)
    }

    func write(to members: inout [String: JSONValue]) {
        members["text"] = .string(text)
        if !attachments.isEmpty { members["attachments"] = .array(attachments.map(\.wire)) }
    }
}

/// The parameters of `threads.post`.
public struct ThreadPost: MethodParameters, Hashable {
    public var thread: ThreadChoice
    public var prompt: ThreadPrompt

    public init(_ prompt: ThreadPrompt, to thread: ThreadChoice) {
        self.thread = thread
        self.prompt = prompt
    }

    public init(wire: RemoteParameters) throws {
        thread = try ThreadChoice(wire: wire)
        prompt = try ThreadPrompt(wire)
    }

    public var wire: JSONValue {
        var members = thread.members
        prompt.write(to: &members)
        return .object(members)
    }
}

/// The parameters of `threads.start`.
public struct ThreadStart: MethodParameters, Hashable {
    /// The agent that is to work.
    public var agent: Agent
    /// Where, as a path of the computer; `~` is the home folder.
    public var folder: String
    /// The first thing that the agent is told.
    public var prompt: ThreadPrompt

    public init(_ agent: Agent, in folder: String, _ prompt: ThreadPrompt) {
        self.agent = agent
        self.folder = folder
        self.prompt = prompt
    }

    public init(wire: RemoteParameters) throws {
        agent = Agent(rawValue: try wire.text("source", limit: 100))
        folder = try wire.text("cwd", limit: ThreadLimits.path)
        prompt = try ThreadPrompt(wire)
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["source": .string(agent.rawValue), "cwd": .string(folder)]
        prompt.write(to: &members)
        return .object(members)
    }
}

/// The parameters of `threads.approve`.
public struct ApprovalChoice: MethodParameters, Hashable {
    public var approval: Approval.ID
    public var answer: ApprovalAnswer

    public init(_ answer: ApprovalAnswer, to approval: Approval.ID) {
        self.approval = approval
        self.answer = answer
    }

    public init(wire: RemoteParameters) throws {
        approval = try wire.text("approval", limit: ThreadLimits.name)
        answer = ApprovalAnswer(
            optionID: try wire.text("option", limit: ThreadLimits.name),
            reason: try wire.optionalText("reason", limit: 8000)
        )
        guard let given = wire.value["answers"], given != .null else { return }
        guard let members = given.objectValue, members.count <= 50 else {
            throw RemoteFailure.badParameter("answers", "an object of at most 50 lists of texts")
        }
        for (question, value) in members {
            let texts = value.arrayValue?.compactMap(\.stringValue) ?? []
            guard texts.count == value.arrayValue?.count, texts.count <= 50, question.utf8.count <= ThreadLimits.name,
                texts.allSatisfy({ $0.utf8.count <= 8000 })
            else { throw RemoteFailure.badParameter("answers", "an object of at most 50 lists of texts") }
            answer.answers[question] = texts
        }
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["approval": .string(approval), "option": .string(answer.optionID)]
        members["reason"] = answer.reason.map(JSONValue.string)
        if !answer.answers.isEmpty {
            members["answers"] = .object(answer.answers.mapValues { .array($0.map(JSONValue.string)) })
        }
        return .object(members)
    }
}
