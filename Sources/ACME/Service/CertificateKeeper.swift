package import Foundation
package import Kernel
package import Logging
import ServiceLifecycle

/// Keeps a hub's certificate: gets the first one, and a new one when two thirds of its life are over. A failure ends nothing; it is tried again,
/// less and less often.
package actor CertificateKeeper: Service {
    /// The date is looked at again at least so often: a clock may be set, and a machine may sleep.
    private static let longestPause = Duration.seconds(3600)
    /// Between two certificates, whatever the life is that an authority gives them.
    private static let shortestLife: TimeInterval = 10

    private let configuration: ACMEConfiguration
    private let issuer: CertificateIssuer
    private let store: CertificateStore
    private let methods: [ChallengeMethod]
    private let time: any TimeSource
    private let logger: Logger
    private let use: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - methods: The ways to prove a name that are open, the preferred one first; each failure goes on to the next.
    ///   - use: Takes the certificate that is kept into use.
    package init(
        _ configuration: ACMEConfiguration,
        issuer: CertificateIssuer,
        store: CertificateStore,
        methods: [ChallengeMethod],
        time: any TimeSource = .system,
        logger: Logger,
        use: @escaping @Sendable () async throws -> Void
    ) {
        self.configuration = configuration
        self.issuer = issuer
        self.store = store
        self.methods = methods
        self.time = time
        self.logger = logger
        self.use = use
    }

    /// Runs until graceful shutdown or cancellation.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await self.keep() }
        try? await gracefulShutdown()  // cancelled: the same end
    }

    private func keep() async {
        while !Task.isCancelled {
            do {
                try await untilDue()
                try await renew()
            } catch {
                guard !Task.isCancelled else { return }
                // The state folder: without it nothing can be kept, and it may be back later.
                logger.error("certificate not looked after", metadata: ["reason": "\(error)"])
                guard await time.pause(for: Self.longestPause) else { return }
            }
        }
    }

    /// When the next certificate is asked for.
    package func due() throws -> Date {
        try store.tries(for: configuration).next(after: store.certificate(), for: configuration.names, now: time.date)
    }

    private func untilDue() async throws {
        while true {
            let wait = try due().timeIntervalSince(time.date)
            guard wait > 0 else { return }
            // A millisecond more, so that the date is behind it.
            try await time.sleep(
                for: min(.milliseconds(Int64((min(wait, 1e6) * 1000).rounded(.up)) + 1), Self.longestPause)
            )
        }
    }

    private func renew() async throws {
        var tries = try store.tries(for: configuration)
        let began = time.date
        do {
            let turn = tries.failures % max(1, methods.count)
            let chain = try await issuer.issue(by: Array(methods[turn...] + methods[..<turn]))
            tries.succeeded()
            try store.keep(tries)
            logger.notice(
                "certificate made",
                metadata: [
                    "names": "\(configuration.names.map(\.text).joined(separator: ", "))",
                    "until": "\(chain.validity.to.formatted(.iso8601))",
                ]
            )
            try await use()
            guard chain.validity.renewal.timeIntervalSince(began) < Self.shortestLife else { return }
            try await time.sleep(for: .seconds(Self.shortestLife))
        } catch {
            guard !Task.isCancelled else { return }
            tries.failed(error, now: time.date, spread: Double.random(in: 0.8...1.2))
            try store.keep(tries)
            logger.error(
                "no certificate was made",
                metadata: [
                    "reason": "\(error)", "next": "\(tries.notBefore?.formatted(.iso8601) ?? "at once")",
                ]
            )
        }
    }
}
