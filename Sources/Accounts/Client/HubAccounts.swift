import Accounts
import Kernel
import Sealing
import WebClient

/// The requests of `/account/…` to one hub.
struct HubAccounts: Sendable {
    /// Bytes of an answer: a list of devices is the longest, of 32.
    private static let largestAnswer: Int64 = 256 << 10

    let web: any WebClient
    /// Without a path.
    let hub: WebURL

    /// - Parameter token: The access token; nil for a request that needs none.
    /// - Throws: ``AccountClientError``.
    func post<Answer: Decodable>(
        _ endpoint: AccountEndpoint,
        _ body: some Encodable,
        token: String? = nil,
        as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        let data = try await post(endpoint, JSONValue(encoding: body), token)
        do {
            return try data.decode(as: Answer.self)
        } catch {
            throw AccountClientError.brokenAnswer(hub: hub.origin)
        }
    }

    /// Signs `request` by a challenge of its own and posts it.
    ///
    /// - Throws: ``AccountClientError``.
    func prove<Request: ProvenRequest, Answer: Decodable>(
        _ endpoint: AccountEndpoint,
        _ request: Request,
        by identity: Identity
    ) async throws -> Answer {
        let challenge: Challenge = try await post(.challenge, ChallengeRequest(did: identity.did.text))
        var proven = request
        try proven.prove(by: identity, challenge: challenge.challenge, host: hub.authority)
        return try await post(endpoint, proven)
    }

    private func post(_ endpoint: AccountEndpoint, _ body: JSONValue, _ token: String?) async throws -> JSONValue {
        let answer: CollectedAnswer
        do throws(WebClientError) {
            var request = WebRequest(
                .post,
                try WebURL(hub.base + endpoint.path),
                fields: ["Content-Type": "application/json"],
                body: .bytes(body.canonicalBytes),
                largestBody: Self.largestAnswer
            )
            if let token { request.fields.set("Authorization", "Bearer \(token)") }
            answer = try await web.collect(request)
        } catch {
            throw AccountClientError.unreachable(error)
        }
        if answer.isRedirect { throw AccountClientError.redirected(hub: hub.origin) }
        guard let value = try? JSONValue(parsing: answer.body), let envelope = try? value.decode(as: IMEnvelope.self)
        else {
            throw answer.status == 404
                ? AccountClientError.noAccounts(hub: hub.origin) : AccountClientError.brokenAnswer(hub: hub.origin)
        }
        do throws(IMFailure) {
            return try envelope.result()
        } catch  where error.code == .tokenNotYetValid {
            throw AccountClientError.clockWrong(hub: hub.origin)
        } catch {
            throw AccountClientError.refused(error)
        }
    }
}
