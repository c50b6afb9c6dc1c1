package import Accounts
import AccountsHub
import Chat
import Kernel

/// A request that people with a session can make, by HTTP and, where it has a number, on the socket.
struct ServedRequest: Sendable {
    let path: String
    /// Whether it is one of OpenIM's, whose refusals have status 200.
    let isPlain: Bool
    let frame: FrameID?
    /// How much of a person's rate of requests it takes; 0 for a message, which has a rate of its own.
    let weight: Int
    /// Answers it.
    ///
    /// - Throws: `ChatError` for a request that cannot be read; `ChatHubError`, `AccountsError`, `StorageError`.
    let answer: @Sendable (JSONValue, Asker) async throws -> JSONValue

    /// Where the paths of OpenIM's interface begin. The documented `/user/profile/openim-batch` is not of it.
    private static let existing = ["/msg/", "/conversation/", "/friend/", "/user/get_"]
    private static let messages: Set = [ChatEndpoints.send.path, IMEndpoints.send.path]
    /// Requests that look through much.
    private static let heavy: Set = [ChatEndpoints.sync.path, ChatEndpoints.search.path]
    private static let heavyWeight = 5

    init<Request: ChatWire, Answer: ChatWire>(
        _ endpoint: ChatEndpoint<Request, Answer>,
        _ answer: @escaping @Sendable (Request, Asker) async throws -> Answer
    ) {
        path = endpoint.path
        isPlain = Self.existing.contains { endpoint.path.hasPrefix($0) }
        frame = endpoint.frame
        weight =
            Self.messages.contains(endpoint.path) ? 0 : Self.heavy.contains(endpoint.path) ? Self.heavyWeight : 1
        self.answer = { json, asker in try await answer(try Request(wire: json), asker).wire }
    }
}

extension Asker {
    var chat: ChatAsker { ChatAsker(person, device: session) }

    /// Existing clients name themselves in each request.
    ///
    /// - Throws: ``AccountsError/othersAccount``.
    func check(is person: UserID) throws(AccountsError) {
        guard person == self.person else { throw .othersAccount }
    }
}

extension ChatError: IMClassifiedError {
    package var imCode: IMErrorCode {
        switch self {
        case .notYours: .noPermission
        default: .badArguments
        }
    }
}
