import Kernel
package import WebClient

/// The way of one certificate from the order to the download (RFC 8555 section 7.4), without input and output: what to do next, and what
/// each answer changes.
package struct Issuance: Sendable {
    /// What to do next.
    package enum Step: Hashable, Sendable {
        case order
        case readAuthorization(WebURL, after: Duration)
        /// To be made answerable, and then told to the authority.
        case prove(Proof)
        case readOrder(WebURL, after: Duration)
        case finalize(WebURL)
        case download(WebURL)
    }

    /// A challenge that is to be answered.
    package struct Proof: Hashable, Sendable {
        package let name: CertificateName
        package let method: ChallengeMethod
        package let token: ChallengeToken
        package let challenge: WebURL
        package let authorization: WebURL
    }

    /// The waits between two looks at the same thing; the last one repeats.
    static let waits: [Duration] = [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(5),
    ]
    /// An authority's own wait between two looks is not longer.
    private static let longestWait = Duration.seconds(60)
    /// How long an order may take in all.
    static let patience = Duration.seconds(15 * 60)

    private let names: [CertificateName]
    /// The methods to prove with, the preferred one first.
    private let methods: [ChallengeMethod]
    private let authority: String
    package private(set) var step = Step.order
    private var order: WebURL?
    private var finalize: WebURL?
    /// Authorizations that are not known to be valid, the current one first.
    private var authorizations: [WebURL] = []
    /// The challenge of the current one, once it was told to the authority.
    private var proof: Proof?
    private var isFinalized = false
    private var looks = 0
    private var waited = Duration.zero

    /// - Parameter authority: Its host, for sentences.
    package init(_ names: [CertificateName], methods: [ChallengeMethod], authority: String) {
        self.names = names
        self.methods = methods
        self.authority = authority
    }

    /// The order was made, or one that stood was given again.
    package mutating func ordered(_ order: ACMEOrder, at url: WebURL) throws(ACMEError) {
        self.order = url
        finalize = order.finalize
        authorizations = order.authorizations
        guard order.status == .pending, let first = authorizations.first else {
            return try follow(order, retryAfter: nil)
        }
        step = .readAuthorization(first, after: .zero)
    }

    /// The current authorization was read.
    ///
    /// - Parameter retryAfter: The authority's own wait before the next look.
    package mutating func read(_ authorization: ACMEAuthorization, retryAfter: Duration?) throws(ACMEError) {
        guard let current = authorizations.first, let order else { throw unexpected("an authorization") }
        switch authorization.status {
        case .valid:
            authorizations.removeFirst()
            proof = nil
            looks = 0
            step = authorizations.first.map { .readAuthorization($0, after: .zero) } ?? .readOrder(order, after: .zero)
        case .pending:
            if let proof {
                try throwFailure(of: proof, in: authorization)
                step = .readAuthorization(current, after: try nextWait(retryAfter))
            } else {
                step = .prove(try choose(from: authorization, at: current))
            }
        case .invalid:
            if let proof { try throwFailure(of: proof, in: authorization) }
            let failed = authorization.challenges.first { $0.problem != nil }
            throw .notProved(
                name: TerminalText.line(authorization.name),
                proof?.method ?? failed.flatMap { ChallengeMethod(rawValue: $0.kind) } ?? .http,
                failed?.problem?.failure ?? .other,
                detail: failed?.problem?.detail ?? ""
            )
        case .deactivated, .expired, .revoked, .ready, .processing, .unknown:
            throw unexpected("an authorization that is \(authorization.status)")
        }
    }

    /// The challenge stands, and the authority was told.
    package mutating func proved(_ proof: Proof) {
        self.proof = proof
        looks = 1
        step = .readAuthorization(proof.authorization, after: Self.waits[0])
        waited += Self.waits[0]
    }

    /// The order was read, or its certificate asked for.
    package mutating func read(_ order: ACMEOrder, retryAfter: Duration?) throws(ACMEError) {
        try follow(order, retryAfter: retryAfter)
    }

    /// The certificate was asked for. An authority may say `ready` for a moment still.
    package mutating func finalized() { isFinalized = true }

    private mutating func follow(_ order: ACMEOrder, retryAfter: Duration?) throws(ACMEError) {
        guard let url = self.order, let finalize else { throw unexpected("an order") }
        switch order.status {
        case .ready where !isFinalized: step = .finalize(finalize)
        case .pending, .processing, .ready: step = .readOrder(url, after: try nextWait(retryAfter))
        case .valid:
            guard let certificate = order.certificate else { throw unexpected("a valid order without a certificate") }
            // One of another key: it is checked when it is there.
            step = .download(certificate)
        case .invalid:
            guard let problem = order.problem else { throw unexpected("an order that is invalid") }
            throw .problem(problem, of: authority, names: names)
        case .deactivated, .expired, .revoked, .unknown: throw unexpected("an order that is \(order.status)")
        }
    }

    private func choose(
        from authorization: ACMEAuthorization,
        at url: WebURL
    ) throws(ACMEError) -> Proof {
        guard let name = names.first(where: { $0.text == authorization.name }) else {
            throw unexpected("an authorization for a name that was not asked for")
        }
        for method in methods {
            for challenge in authorization.challenges where challenge.kind == method.rawValue {
                guard let token = challenge.token else { continue }
                return Proof(name: name, method: method, token: token, challenge: challenge.url, authorization: url)
            }
        }
        throw .noMethod(name: name.text, offered: authorization.challenges.map(\.kind))
    }

    private func throwFailure(of proof: Proof, in authorization: ACMEAuthorization) throws(ACMEError) {
        guard let challenge = authorization.challenges.first(where: { $0.url == proof.challenge }),
            challenge.status == .invalid || authorization.status == .invalid, let problem = challenge.problem
        else { return }
        throw .notProved(name: proof.name.text, proof.method, problem.failure, detail: problem.detail)
    }

    private mutating func nextWait(_ retryAfter: Duration?) throws(ACMEError) -> Duration {
        let own = Self.waits[min(looks, Self.waits.count - 1)]
        let wait = min(max(retryAfter ?? own, own), Self.longestWait)
        looks += 1
        waited += wait
        guard waited <= Self.patience else { throw .tooSlow(authority: authority, after: Self.patience) }
        return wait
    }

    private func unexpected(_ what: String) -> ACMEError { .badAnswer(authority: authority, what: what) }
}
