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
    /// Nil for a request that has to be waited for.
    private(set) var begin: Begin?

    /// Begins to answer a request without waiting, so that the next one can be read meanwhile. Later requests are stored behind it.
    ///
    /// - Parameter done: Told of the answer, also before this returns. It must not wait.
    /// - Returns: False where it has to be waited for: then nothing has happened, and ``answer`` is the way.
    /// - Throws: As ``answer``; then `done` is not called.
    typealias Begin =
        @Sendable (JSONValue, Asker, _ done: @escaping @Sendable (Result<JSONValue, any Error>) -> Void) throws -> Bool

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

    /// The request, which can be answered without waiting, too.
    func beginning<Request: ChatWire, Answer: ChatWire>(
        _ endpoint: ChatEndpoint<Request, Answer>,
        _ begin:
            @escaping @Sendable (Request, Asker, @escaping @Sendable (Result<Answer, any Error>) -> Void) throws -> Bool
    ) -> ServedRequest {
        var served = self
        served.begin = { json, asker, done in
            try begin(try Request(wire: json), asker) { answer in done(answer.map(\.wire)) }
        }
        return served
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
