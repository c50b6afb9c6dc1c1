package import Conversations
import Kernel

/// A request of an agent to a person, and the reply that its protocol wants for each answer.
package struct AgentRequest: Sendable {
    package var subject: Approval.Subject
    package var reason: String?
    package var options: [Approval.Option]
    /// Makes the reply for an answer that is one of the options.
    package var reply: @Sendable (ApprovalAnswer) throws(AgentError) -> RPCReply

    /// A request of a subject that is not known, or not shown whole, keeps only the answers that decline.
    init(
        subject: Approval.Subject,
        reason: String? = nil,
        options: [Approval.Option],
        reply: @escaping @Sendable (ApprovalAnswer) throws(AgentError) -> RPCReply
    ) {
        self.subject = subject.bounded
        self.reason = reason
        if case .unknown = subject {
            self.options = options.filter { $0.kind == .decline || $0.kind == .cancel }
        } else {
            self.options = options
        }
        self.reply = reply
    }

    /// Kinds that are not known: shown as the agent wrote them, to be declined only.
    static func unknown(method: String, _ raw: JSONValue, declining reply: RPCReply) -> AgentRequest {
        AgentRequest(
            subject: .unknown(method, raw),
            options: [Approval.Option(id: "decline", kind: .decline)],
            reply: { _ throws(AgentError) in reply }
        )
    }

    /// A command, or a raw request where it is too long to be shown whole.
    static func commandSubject(_ line: String, folder: String?, method: String, _ raw: JSONValue) -> Approval.Subject {
        guard line.utf8.count <= ItemText.limit else {
            return .unknown(method, raw)
        }
        return .command(Approval.Command(line: line, folder: folder.map { AgentText.beginning(of: $0, bytes: 4096) }))
    }
}

extension Approval.Subject {
    /// UTF-8 bytes of all that one request says about choices.
    private static let detailLimit = 64 << 10

    /// The subject with a limit on what questions say about choices; a choice whose words do not fit has its label alone.
    fileprivate var bounded: Approval.Subject {
        guard case .questions(var questions) = self else { return self }
        var room = Self.detailLimit
        for index in questions.indices {
            for choice in questions[index].choices {
                guard let detail = questions[index].details[choice] else { continue }
                room -= (detail.text?.utf8.count ?? 0) + (detail.preview?.text.utf8.count ?? 0)
                if room < 0 { questions[index].details[choice] = nil }
            }
        }
        return .questions(questions)
    }

    /// The subject of an unknown request, as the agent wrote it.
    static func unknown(_ method: String, _ raw: JSONValue) -> Approval.Subject {
        .unknown(method: AgentText.line(method), raw: ItemText(raw.canonicalText))
    }
}

extension RPCReply {
    /// The reply to a declined request whose method has no word for that.
    static let declined = RPCReply.failure(code: -32000, message: "The person declined this request.")
    static let unsupported = RPCReply.failure(code: RPCFailure.unknownMethod, message: "Method not found")
}
