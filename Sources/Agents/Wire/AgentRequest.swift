package import Conversations
import Kernel

/// Something an agent asks a person, and what its protocol wants to hear for each answer.
package struct AgentRequest: Sendable {
    package var subject: Approval.Subject
    package var reason: String?
    package var options: [Approval.Option]
    /// What to send for an answer that is one of the options.
    package var reply: @Sendable (ApprovalAnswer) throws(AgentError) -> RPCReply

    /// Kinds that are not known: shown as the agent wrote them, to be declined only.
    static func unknown(method: String, _ raw: JSONValue, declining reply: RPCReply) -> AgentRequest {
        AgentRequest(
            subject: .unknown(method: AgentText.line(method), raw: ItemText(raw.canonicalText)),
            options: [Approval.Option(id: "decline", kind: .decline)],
            reply: { _ throws(AgentError) in reply }
        )
    }

    /// A command, or a raw request where it is too long to be shown whole.
    static func commandSubject(_ line: String, folder: String?, method: String, _ raw: JSONValue) -> Approval.Subject {
        guard line.utf8.count <= ItemText.limit else {
            return .unknown(method: AgentText.line(method), raw: ItemText(raw.canonicalText))
        }
        return .command(Approval.Command(line: line, folder: folder.map { AgentText.beginning(of: $0, bytes: 4096) }))
    }
}

extension RPCReply {
    /// To what a person declined that has no word for it.
    static let declined = RPCReply.failure(code: -32000, message: "The person declined this request.")
    static let unsupported = RPCReply.failure(code: RPCFailure.unknownMethod, message: "Method not found")
}
