import Accounts
import Chat
import Kernel
import WebClient

/// Requests to one hub for one account by HTTP: the token, OpenIM's envelope, bounds, and what each answer means.
struct HubRequests: Sendable {
    /// Bytes of an answer. A page has at most 4 MiB of content, which travels as base64.
    static let largestAnswer: Int64 = 8 << 20

    /// An answer of the hub, with the envelope where it has one.
    struct Answer: Sendable {
        let status: Int
        let fields: WebFields
        let envelope: IMEnvelope?

        /// The members of the answer.
        ///
        /// - Throws: ``ChatError``, for a refusal and for what is no answer of a hub.
        func data() throws(ChatError) -> JSONValue {
            guard let envelope else { throw HubRequests.failure(ofStatus: status) ?? .malformed("answer") }
            do throws(IMFailure) { return try envelope.result() } catch { throw ChatError(error) }
        }
    }

    /// Without a path.
    let hub: WebURL
    let web: any WebClient
    let tokens: any AccessTokenSource

    /// - Throws: ``ChatError``.
    func ask<Request, Reply>(
        _ endpoint: ChatEndpoint<Request, Reply>,
        _ request: Request
    ) async throws(ChatError) -> Reply {
        let body = WebBody.bytes(request.wire.canonicalBytes)
        let answer = try await exchange { token throws(WebClientError) in
            var question = WebRequest(.post, try WebURL(hub.base + endpoint.path), body: body)
            question.fields = ["Content-Type": "application/json", "Authorization": "Bearer \(token)"]
            question.largestBody = Self.largestAnswer
            return question
        }
        return try Reply(wire: try answer.data())
    }

    /// Sends a request with the account's token, and once more with another token where the hub does not take that one.
    ///
    /// - Parameter make: Makes the request with a token; called again for another one.
    /// - Throws: ``ChatError`` where there is no answer, or one that leads elsewhere. A refusal is an answer.
    func exchange(
        _ make: @Sendable (String) throws(WebClientError) -> WebRequest
    ) async throws(ChatError) -> Answer {
        let token = try await token()
        let answer = try await collect(make, token)
        guard let code = answer.envelope?.errCode, code.isAboutToken, code != .tokenNotYetValid else { return answer }
        return try await collect(make, try await self.token(replacing: token))
    }

    /// - Throws: ``ChatError/noAccount`` where the session is over; otherwise as for a request.
    func token(replacing refused: String? = nil) async throws(ChatError) -> String {
        do {
            guard let refused else { return try await tokens.token() }
            return try await tokens.token(replacing: refused)
        } catch {
            throw ChatError(tokenFailure: error)
        }
    }

    private func collect(
        _ make: @Sendable (String) throws(WebClientError) -> WebRequest,
        _ token: String
    ) async throws(ChatError) -> Answer {
        let answer: CollectedAnswer
        do throws(WebClientError) {
            answer = try await web.collect(make(token))
        } catch {
            throw ChatError(error)
        }
        if answer.isRedirect { throw .redirected }
        // Uploads are answered without a body, too.
        let envelope =
            answer.body.isEmpty
            ? nil : (try? JSONValue(parsing: answer.body)).flatMap { try? $0.decode(as: IMEnvelope.self) }
        if envelope == nil, let failure = Self.failure(ofStatus: answer.status) { throw failure }
        return Answer(status: answer.status, fields: answer.fields, envelope: envelope)
    }

    /// What an answer without an envelope means: of the server around the chat's routes, of a reverse proxy, or of another program.
    private static func failure(ofStatus status: Int) -> ChatError? {
        switch status {
        case 404, 405: .noChat
        case 408, 425, 429, 500...599: .unreachable
        default: nil
        }
    }
}
