import Foundation
package import Kernel
package import WebClient

/// Asks an authority: signs, keeps nonces, and tries again where only a nonce was refused (RFC 8555 section 6).
package actor ACMEClient {
    /// An answer that is no refusal.
    package struct Answer: Sendable {
        package let status: Int
        /// The address of what was made.
        package let location: WebURL?
        /// How long to wait before the next look at it.
        package let retryAfter: Duration?
        package let body: [UInt8]
    }

    /// Bytes of an answer's body.
    private static let largestBody: Int64 = 64 << 10
    private static let mostNonces = 8
    /// Tries of one request, where the authority refused its nonce only.
    private static let mostTries = 10

    private let address: WebURL
    private let web: any WebClient
    private let time: any TimeSource
    private let agent: String
    private var nonces: [Nonce] = []
    private var known: ACMEDirectory?

    /// - Parameters:
    ///   - directory: Where the authority tells its addresses.
    ///   - agent: This program and its version.
    package init(directory: WebURL, web: any WebClient, agent: String, time: any TimeSource = .system) {
        address = directory
        self.web = web
        self.agent = agent
        self.time = time
    }

    /// The authority's host, for sentences.
    package nonisolated var authority: String { address.host }

    /// - Parameter isFresh: Whether it is asked for even when it is known: addresses and terms change.
    package func directory(isFresh: Bool = false) async throws(ACMEError) -> ACMEDirectory {
        if let known, !isFresh { return known }
        let answer = try await ask(WebRequest(.get, address, fields: fields, largestBody: Self.largestBody))
        try refuse(answer)
        let directory = try ACMEDirectory(answer.body, of: authority)
        known = directory
        return directory
    }

    /// Sends a signed request.
    ///
    /// - Parameters:
    ///   - payload: Nil asks for what stands at the address.
    ///   - accept: The kind of answer that is wanted, where there are several.
    ///   - names: Those that the request is about, for the sentence of a refusal.
    /// - Throws: ``ACMEError``, also for what the authority refuses.
    package func send(
        _ payload: JSONValue?,
        to url: WebURL,
        by key: AccountKey,
        as signer: AccountKey.Signer,
        accept: String? = nil,
        about names: [CertificateName] = []
    ) async throws(ACMEError) -> Answer {
        for _ in 0..<Self.mostTries {
            let nonce = try await takeNonce()
            let body: [UInt8]
            do {
                body = try key.sign(payload, to: url, nonce: nonce, as: signer)
            } catch {
                throw .cannotAnswer(reason: "the account's key cannot sign")
            }
            var fields = fields
            fields.set("Content-Type", "application/jose+json")
            if let accept { fields.set("Accept", accept) }
            let answer = try await ask(
                WebRequest(.post, url, fields: fields, body: .bytes(body), largestBody: Self.largestBody)
            )
            if case .badNonce? = problem(in: answer)?.kind { continue }
            try refuse(answer, about: names)
            let now = time.date
            return Answer(
                status: answer.status,
                location: try location(in: answer),
                retryAfter: answer.fields["Retry-After"].flatMap { RetryAfter.parse($0, now: now) }
                    .map { .seconds($0.timeIntervalSince(now)) },
                body: answer.body
            )
        }
        throw .badAnswer(authority: authority, what: "it refuses every nonce that it gives")
    }

    private var fields: WebFields { ["User-Agent": agent, "Accept-Language": "en"] }

    private func takeNonce() async throws(ACMEError) -> Nonce {
        if let nonce = nonces.popLast() { return nonce }
        let directory = try await directory()
        let answer = try await ask(
            WebRequest(.head, directory.newNonce, fields: fields, largestBody: Self.largestBody)
        )
        try refuse(answer)
        guard let nonce = nonces.popLast() else { throw .badAnswer(authority: authority, what: "no usable nonce") }
        return nonce
    }

    private func ask(_ request: WebRequest) async throws(ACMEError) -> CollectedAnswer {
        let answer: CollectedAnswer
        do {
            answer = try await web.collect(request)
        } catch {
            throw .notAsked(error)
        }
        if let nonce = answer.fields["Replay-Nonce"].flatMap({ Nonce($0) }) {
            nonces.append(nonce)
            if nonces.count > Self.mostNonces { nonces.removeFirst() }
        }
        return answer
    }

    private func location(in answer: CollectedAnswer) throws(ACMEError) -> WebURL? {
        guard let text = answer.fields["Location"] else { return nil }
        let authority = authority
        return try ACMEAddress.check(text) { _ in .badAnswer(authority: authority, what: "no usable Location") }
    }

    private func problem(in answer: CollectedAnswer) -> ACMEProblem? {
        guard answer.status >= 400, let members = try? JSONValue(parsing: answer.body).objectValue else { return nil }
        return ACMEProblem(members)
    }

    /// - Throws: What the authority refused.
    private func refuse(_ answer: CollectedAnswer, about names: [CertificateName] = []) throws(ACMEError) {
        guard !(200...299).contains(answer.status) else { return }
        let problem = problem(in: answer)
        let now = time.date
        let until = answer.fields["Retry-After"].flatMap { RetryAfter.parse($0, now: now) }
        if answer.status == 429 || answer.status == 503 || problem?.kind == .rateLimited {
            throw .askedToWait(
                authority: authority,
                // Without a time of its own: an hour, in which most of the bounds of Let's Encrypt are over.
                until: until ?? now.addingTimeInterval(answer.status == 503 ? 600 : 3600),
                detail: problem?.detail ?? "status \(answer.status)"
            )
        }
        guard let problem else { throw .badAnswer(authority: authority, what: "status \(answer.status)") }
        throw .problem(problem, of: authority, names: names)
    }
}

extension Duration {
    fileprivate static func seconds(_ interval: TimeInterval) -> Duration {
        .milliseconds(Int64(max(0, interval) * 1000))
    }
}
