import CommandClient
package import Commands
package import Control
import Conversations
import Kernel
import Rights

/// The feature as commands and pages of this machine see it, whatever finds the computers: a phone its paired ones, a computer itself.
package struct ThreadRoutes: Sendable {
    /// A computer by its name or id; nil for the only one.
    package typealias Find = @Sendable (_ name: String?) async throws -> any Peer

    /// Raised when a computer, named by its id, said that this device may not read its conversations. Nil where none says so.
    package typealias Refusals = @Sendable (_ computer: String) -> AsyncStream<Void>?

    private let find: Find
    private let refusals: Refusals
    private let following: ThreadFollowing

    package init(following: ThreadFollowing, refusals: @escaping Refusals = { _ in nil }, find: @escaping Find) {
        self.find = find
        self.refusals = refusals
        self.following = following
    }

    package var control: [ControlRoute] {
        [
            ControlRoute(
                ThreadsControl.call,
                of: ThreadMethods.all,
                seconds: { $0.risk == .privileged ? 90 : 30 },
                find: find
            ),
            ControlRoute(ThreadsControl.follow) { [find, following, refusals] follow, report in
                let computer = try await find(follow.device)
                try await following.follow(try Self.topic(follow), of: computer, refusals: refusals(computer.id)) {
                    try await report($0)
                }
                return NoControlAnswer()
            }
            .needing(.threadsRead),
        ]
    }

    private static func topic(_ follow: ThreadsControl.Follow) throws -> ThreadFollowing.Topic {
        guard let id = follow.id else { return ThreadFollowing.Topic(nil) }
        guard let source = follow.source, !source.isEmpty else {
            throw ControlError.badParameter(name: "source", expected: "the agent of the conversation")
        }
        var cursor: ConversationCursor?
        if let after = follow.after {
            guard let read = ConversationCursor(text: after) else {
                throw ControlError.badParameter(name: "after", expected: "a cursor of this conversation")
            }
            cursor = read
        }
        return ThreadFollowing.Topic(ThreadReference(agent: Agent(rawValue: source), id: id), after: cursor)
    }
}
