import Crypto
import Foundation
package import Kernel
package import Logging
import WebClient

/// Gets one certificate: the account, the order, the proofs, the download.
package struct CertificateIssuer: Sendable {
    /// How far this machine's clock may be behind the authority's.
    private static let clockSlack: TimeInterval = 300

    private let configuration: ACMEConfiguration
    private let client: ACMEClient
    private let store: CertificateStore
    private let responder: any ChallengeResponder
    private let time: any TimeSource
    private let logger: Logger

    package init(
        _ configuration: ACMEConfiguration,
        client: ACMEClient,
        store: CertificateStore,
        responder: any ChallengeResponder,
        time: any TimeSource,
        logger: Logger
    ) {
        self.configuration = configuration
        self.client = client
        self.store = store
        self.responder = responder
        self.time = time
        self.logger = logger
    }

    /// Refuses to begin without an agreement to the authority's terms, which only a person can give.
    ///
    /// - Throws: ``ACMEError/termsNotAgreed(authority:terms:)``, and why the terms could not be asked for.
    package static func checkAgreement(
        _ configuration: ACMEConfiguration,
        client: ACMEClient,
        store: CertificateStore
    ) async throws {
        guard !configuration.agreesToTerms else { return }
        if let account = try store.account(), account.directory == configuration.directory, account.terms != nil {
            return
        }
        guard let terms = try await client.directory().terms else { return }
        throw ACMEError.termsNotAgreed(authority: client.authority, terms: terms)
    }

    /// - Parameter methods: The ways to prove a name that are open, the preferred one first.
    /// - Returns: The certificate, which is kept.
    /// - Throws: ``ACMEError``; what the state folder says.
    package func issue(by methods: [ChallengeMethod]) async throws -> CertificateChain {
        // Also where another run's is known: addresses change.
        let directory = try await client.directory(isFresh: true)
        var account = try await account(directory)
        do {
            return try await issue(by: methods, directory, account)
        } catch ACMEError.refused(_, .accountDoesNotExist, _) {
            // The authority lost it. The agreement of its owner stands.
            account.url = nil
            try store.keep(account)
            account = try await register(account, directory)
            return try await issue(by: methods, directory, account)
        }
    }

    // MARK: The account

    private func account(_ directory: ACMEDirectory) async throws -> KeptAccount {
        guard var account = try store.account(), account.directory == configuration.directory else {
            return try await register(
                KeptAccount(directory: configuration.directory, key: AccountKey()),
                directory
            )
        }
        guard let url = account.url else { return try await register(account, directory) }
        guard account.contact != configuration.contact else { return account }
        do {
            _ = try await client.send(["contact": contacts], to: url, by: account.key, as: .account(url))
        } catch ACMEError.refused(_, .accountDoesNotExist, _) {
            return try await register(account, directory)
        } catch ACMEError.refused(_, .unauthorized, _) {
            throw accountClosed
        }
        account.contact = configuration.contact
        try store.keep(account)
        return account
    }

    private func register(_ account: KeptAccount, _ directory: ACMEDirectory) async throws -> KeptAccount {
        var account = account
        guard !directory.requiresExternalAccount else {
            throw ACMEError.externalAccountRequired(authority: client.authority)
        }
        var payload: [String: JSONValue] = [:]
        if configuration.contact != nil { payload["contact"] = contacts }
        if let terms = directory.terms {
            guard configuration.agreesToTerms || account.terms == terms else {
                throw ACMEError.termsNotAgreed(authority: client.authority, terms: terms)
            }
            payload["termsOfServiceAgreed"] = true
            account.terms = terms
        }
        // The key first: an account whose key is lost is lost.
        try store.keep(account)
        let answer = try await newAccount(.object(payload), at: directory.newAccount, by: account.key)
        let status = try ResourceReader(answer.body, of: client.authority).status()
        guard status == .valid else { throw accountClosed }
        guard let url = answer.location else {
            throw ACMEError.badAnswer(authority: client.authority, what: "an account without an address")
        }
        account.url = url
        account.contact = configuration.contact
        try store.keep(account)
        logger.notice(
            "account registered with the certificate's authority, and its terms of service agreed to",
            metadata: ["authority": "\(client.authority)", "terms": "\(directory.terms ?? "none")"]
        )
        return account
    }

    private func newAccount(
        _ payload: JSONValue,
        at url: WebURL,
        by key: AccountKey
    ) async throws -> ACMEClient.Answer {
        do {
            return try await client.send(payload, to: url, by: key, as: .key)
        } catch ACMEError.refused(_, .unauthorized, _) {
            throw accountClosed
        }
    }

    private var contacts: JSONValue { .array(configuration.contact.map { [.string("mailto:\($0)")] } ?? []) }

    private var accountClosed: ACMEError {
        .accountClosed(authority: client.authority, file: store.accountURL.path)
    }

    // MARK: The order

    private func issue(
        by methods: [ChallengeMethod],
        _ directory: ACMEDirectory,
        _ account: KeptAccount
    ) async throws -> CertificateChain {
        var answers: [ChallengeAnswer] = []
        let result: Result<CertificateChain, any Error>
        do {
            result = .success(try await issue(by: methods, directory, account, &answers))
        } catch {
            result = .failure(error)
        }
        for answer in answers { await responder.withdraw(answer) }
        return try result.get()
    }

    private func issue(
        by methods: [ChallengeMethod],
        _ directory: ACMEDirectory,
        _ account: KeptAccount,
        _ answers: inout [ChallengeAnswer]
    ) async throws -> CertificateChain {
        let authority = client.authority
        let key = P256.Signing.PrivateKey()
        var issuance = Issuance(configuration.names, methods: methods, authority: authority)
        while true {
            switch issuance.step {
            case .order:
                let identifiers = configuration.names.map {
                    JSONValue.object(["type": "dns", "value": .string($0.text)])
                }
                let answer = try await order(["identifiers": .array(identifiers)], directory, account)
                guard let url = answer.location else {
                    throw ACMEError.badAnswer(authority: authority, what: "an order without an address")
                }
                try issuance.ordered(try ACMEOrder(answer.body, of: authority), at: url)
            case .readAuthorization(let url, let wait):
                try await time.sleep(for: wait)
                let answer = try await send(nil, to: url, account)
                try issuance.read(
                    try ACMEAuthorization(answer.body, of: authority),
                    retryAfter: answer.retryAfter
                )
            case .prove(let proof):
                let answer = try answer(to: proof, account)
                answers.append(answer)
                do {
                    try await responder.prepare(answer)
                } catch {
                    throw ACMEError.cannotAnswer(reason: "\(error)")
                }
                _ = try await send([:], to: proof.challenge, account)
                issuance.proved(proof)
            case .finalize(let url):
                let request = try CertificateRequest.der(for: configuration.names, key: key)
                let answer = try await send(["csr": .string(Base64URL.encode(request))], to: url, account)
                issuance.finalized()
                try issuance.read(try ACMEOrder(answer.body, of: authority), retryAfter: answer.retryAfter)
            case .readOrder(let url, let wait):
                try await time.sleep(for: wait)
                let answer = try await send(nil, to: url, account)
                try issuance.read(try ACMEOrder(answer.body, of: authority), retryAfter: answer.retryAfter)
            case .download(let url):
                let answer = try await send(nil, to: url, account, accept: "application/pem-certificate-chain")
                let chain = try checked(answer.body, key: key)
                try store.keep(chain, key: key)
                return chain
            }
        }
    }

    private func order(
        _ payload: JSONValue,
        _ directory: ACMEDirectory,
        _ account: KeptAccount
    ) async throws -> ACMEClient.Answer {
        do {
            return try await send(payload, to: directory.newOrder, account)
        } catch ACMEError.refused(_, .unauthorized, _) {
            throw accountClosed
        }
    }

    private func send(
        _ payload: JSONValue?,
        to url: WebURL,
        _ account: KeptAccount,
        accept: String? = nil
    ) async throws(ACMEError) -> ACMEClient.Answer {
        guard let signer = account.url else {
            throw .badAnswer(authority: client.authority, what: "an account without an address")
        }
        return try await client.send(
            payload,
            to: url,
            by: account.key,
            as: .account(signer),
            accept: accept,
            about: configuration.names
        )
    }

    private func answer(to proof: Issuance.Proof, _ account: KeptAccount) throws(ACMEError) -> ChallengeAnswer {
        let authorization = account.key.keyAuthorization(for: proof.token)
        switch proof.method {
        case .http: return .http(token: proof.token, keyAuthorization: authorization)
        case .tls:
            do {
                return .tls(try ProofCertificate(name: proof.name, keyAuthorization: authorization, now: time.date))
            } catch {
                throw .cannotAnswer(reason: "no certificate for the handshake could be made")
            }
        }
    }

    private func checked(_ body: [UInt8], key: P256.Signing.PrivateKey) throws(ACMEError) -> CertificateChain {
        let authority = client.authority
        guard let chain = CertificateChain(String(decoding: body, as: UTF8.self)) else {
            throw .wrongCertificate(authority: authority, reason: "it is no chain of certificates in PEM")
        }
        guard chain.isFor(key.publicKey) else {
            throw .wrongCertificate(authority: authority, reason: "it is for another key")
        }
        guard chain.covers(configuration.names) else {
            throw .wrongCertificate(authority: authority, reason: "a name is missing in it")
        }
        let (now, validity) = (time.date, chain.validity)
        guard validity.from.addingTimeInterval(-Self.clockSlack) <= now, now < validity.to else {
            throw .wrongClock(now: now, from: validity.from, to: validity.to)
        }
        return chain
    }
}
