import ACME
import Foundation
import Kernel
import Logging
import NetworkWebClient
import ServiceLifecycle
import SignalingServer
import Transport
import WebClient

/// Gets and renews the certificate of a hub, and opens what its authority asks at.
struct HubCertificates: Service {
    private let values: CertificateOptions.Values
    private let server: SignalingServer
    private let account: HubCertificateAccount
    private let logger: Logger

    init(
        _ values: CertificateOptions.Values,
        of server: SignalingServer,
        by account: HubCertificateAccount,
        logger: Logger
    ) {
        self.values = values
        self.server = server
        self.account = account
        self.logger = logger
    }

    /// Runs until graceful shutdown or cancellation, or until the only port at which the authority could ask cannot be opened.
    func run() async throws {
        let result: Result<Void, any Error>
        do {
            result = .success(try await keep())
        } catch {
            result = .failure(error)
        }
        await account.shutdown()
        try result.get()
    }

    private func keep() async throws {
        let port = try await server.boundPort()
        let listener = try await listener(securePort: values.answersTLS ? 443 : port)
        var methods: [ChallengeMethod] = []
        if listener != nil { methods.append(.http) }
        if values.answersTLS { methods.append(.tls) }
        let keeper = CertificateKeeper(
            values.configuration,
            issuer: account.issuer(answeringBy: HubChallenges(server: server, listener: listener)),
            store: account.store,
            methods: methods,
            logger: logger,
            use: { [server] in try server.reloadCertificates() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let listener { group.addTask { try await listener.run() } }
            group.addTask { try await keeper.run() }
            try await group.waitForAll()
        }
    }

    /// - Returns: Nil where none is wanted, or none can be opened and there is another way.
    private func listener(securePort: Int) async throws -> HTTPChallengeListener? {
        guard let port = values.httpPort else { return nil }
        do {
            return try await HTTPChallengeListener.listening(
                at: values.address,
                port: port,
                names: values.configuration.names,
                securePort: securePort
            )
        } catch {
            guard values.answersTLS else { throw error }
            logger.warning("the authority asks on the hub's own port only", metadata: ["reason": "\(error)"])
            return nil
        }
    }
}

/// What a hub asks its certificate's authority with.
struct HubCertificateAccount: Sendable {
    let store: CertificateStore
    private let configuration: ACMEConfiguration
    private let web: NetworkWebClient
    private let client: ACMEClient
    private let logger: Logger

    /// - Throws: What is wrong with the certificates that the authority is believed by, or with the proxies that are set.
    init(_ values: CertificateOptions.Values, in folder: StateFolder, logger: Logger) throws {
        store = CertificateStore(folder)
        configuration = values.configuration
        web = try NetworkWebClient(
            NetworkWebClientConfiguration(
                certificates: values.trusted,
                proxies: WebProxySettings(environment: Running.console.environment)
            )
        )
        client = ACMEClient(directory: configuration.directory, web: web, agent: "tandem/\(TandemVersion.current)")
        self.logger = logger
    }

    /// Refuses where nobody agreed to the authority's terms yet, and tells where they are.
    ///
    /// - Throws: `ACMEError`. Nothing is open then.
    func checkAgreement() async throws {
        do {
            try await CertificateIssuer.checkAgreement(configuration, client: client, store: store)
        } catch {
            await shutdown()
            throw error
        }
    }

    func issuer(answeringBy responder: any ChallengeResponder) -> CertificateIssuer {
        CertificateIssuer(
            configuration,
            client: client,
            store: store,
            responder: responder,
            time: .system,
            logger: logger
        )
    }

    func shutdown() async { await web.shutdown() }
}

/// Answers an authority at a hub's ports.
private struct HubChallenges: ChallengeResponder {
    let server: SignalingServer
    let listener: HTTPChallengeListener?

    func prepare(_ answer: ChallengeAnswer) async throws {
        switch answer {
        case .http(let token, let keyAuthorization): listener?.prepare(token, keyAuthorization)
        case .tls(let proof):
            server.answer(
                try ChallengeIdentity(name: proof.name.text, certificate: proof.certificate, key: proof.key)
            )
        }
    }

    func withdraw(_ answer: ChallengeAnswer) async {
        switch answer {
        case .http(let token, _): listener?.withdraw(token)
        case .tls(let proof): server.withdrawChallenge(for: proof.name.text)
        }
    }
}
