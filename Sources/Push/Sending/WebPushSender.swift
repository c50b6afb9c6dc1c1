import Foundation
package import Kernel
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Sends Web Push messages (RFC 8030) itself, without a service in between. See `docs/push.md`.
package final class WebPushSender: Sendable {
    private let configuration: WebPushConfiguration
    private let resolver: any AddressResolver
    private let time: any TimeSource
    private let logger: Logger
    private let open: PushExchange.Opening
    private let tokens: VAPIDTokens
    private let places: PushPlaces
    private let publicTrust: NIOSSLContext
    private let ownTrust: NIOSSLContext

    /// - Throws: ``PushError/malformed(_:rule:)`` where the trusted certificates cannot be read.
    package convenience init(
        _ configuration: WebPushConfiguration,
        resolver: any AddressResolver = SystemResolver(),
        time: any TimeSource = .system,
        logger: Logger
    ) throws(PushError) {
        try self.init(configuration, resolver: resolver, time: time, logger: logger) { $0.connect(to: $1) }
    }

    init(
        _ configuration: WebPushConfiguration,
        resolver: any AddressResolver,
        time: any TimeSource,
        logger: Logger,
        open: @escaping PushExchange.Opening
    ) throws(PushError) {
        self.configuration = configuration
        self.resolver = resolver
        self.time = time
        self.logger = logger
        self.open = open
        tokens = VAPIDTokens(key: configuration.key, contact: configuration.contact, time: time)
        places = PushPlaces(configuration.limits)
        publicTrust = try Self.trust(nil)
        ownTrust = configuration.certificates == nil ? publicTrust : try Self.trust(configuration.certificates)
    }

    /// Sends one message, once. A caller that is told ``PushOutcome/later(after:)`` decides whether to try again.
    ///
    /// - Parameters:
    ///   - payload: In the clear; it is encrypted for the subscription.
    ///   - topic: A message that waits under the same topic is replaced.
    ///   - ttl: How long the service keeps the message for a device that is away; zero drops it then.
    /// - Throws: ``PushError`` where no answer of a push service was had.
    package func send(
        _ payload: [UInt8],
        to subscription: WebPushSubscription,
        urgency: PushUrgency,
        topic: PushTopic?,
        ttl: Duration
    ) async throws(PushError) -> PushOutcome {
        let origin = subscription.endpoint.origin
        // Asked again: what the owner allows may have changed since the subscription came.
        let isOwn = configuration.allowing.contains(origin)
        guard isOwn || origin.isOrdinary else { throw .originNotAllowed(origin) }
        let body = try WebPushMessage.seal(payload, for: subscription)
        try await places.enter(origin)
        defer { places.leave(origin) }
        let request = PushRequest(
            to: subscription.endpoint,
            body: body,
            authorization: try tokens.authorization(for: origin),
            urgency: urgency,
            topic: topic,
            life: ttl
        )
        do throws(PushError) {
            let outcome = try await answer(to: request, at: origin, isOwn: isOwn).outcome(now: time.date)
            log(outcome, of: origin)
            return outcome
        } catch {
            // Errors name the origin alone.
            logger.debug("push failed", metadata: ["origin": "\(origin)", "error": "\(error)"])
            throw error
        }
    }

    private func answer(
        to request: PushRequest,
        at origin: PushOrigin,
        isOwn: Bool
    ) async throws(PushError) -> PushAnswer {
        let limit = configuration.limits.exchange
        do {
            return try await withTimeout(limit, on: time, throwing: PushError.timedOut(origin, after: limit)) {
                [self] in
                let addresses = try await addresses(of: origin, isOwn: isOwn)
                let exchange = PushExchange(
                    request: request,
                    origin: origin,
                    tls: isOwn ? ownTrust : publicTrust,
                    open: open,
                    time: time,
                    connectLimit: configuration.limits.connect
                )
                var failure = PushError.unknownHost(origin)
                for address in addresses {
                    do {
                        return try await exchange.run(at: address)
                    } catch let error as PushExchange.NotConnected {
                        failure = error.failure
                    }
                }
                throw failure
            }
        } catch {
            throw Self.failure(error, at: origin)
        }
    }

    /// The addresses that are tried, in order. One address that is not public spoils all: a name that is meant well has none.
    private func addresses(of origin: PushOrigin, isOwn: Bool) async throws(PushError) -> [SocketAddress] {
        let found = try await resolver.addresses(of: origin.host)
        var addresses: [SocketAddress] = []
        for text in found {
            guard let address = try? SocketAddress(ipAddress: text, port: origin.port),
                isOwn || PublicInternet.reaches(address)
            else { throw .addressNotAllowed(origin) }
            addresses.append(address)
        }
        guard let first = addresses.first else { throw .unknownHost(origin) }
        // The second try is of the other family, where one of the two does not work in this network.
        let same = addresses.filter { $0.protocol == first.protocol }
        let other = addresses.filter { $0.protocol != first.protocol }
        let ordered = [first] + other.prefix(1) + same.dropFirst() + other.dropFirst()
        return Array(ordered.prefix(configuration.limits.addresses))
    }

    private func log(_ outcome: PushOutcome, of origin: PushOrigin) {
        let metadata: Logger.Metadata = ["origin": "\(origin)", "outcome": "\(outcome)"]
        // A service that refuses for good needs the owner: its token's contact, for example.
        if case .refused = outcome {
            logger.notice("push refused", metadata: metadata)
        } else {
            logger.debug("push answered", metadata: metadata)
        }
    }

    private static func trust(_ certificates: [UInt8]?) throws(PushError) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            if let certificates {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(certificates))
            }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .malformed(.trust, rule: "certificates in PEM")
        }
    }

    private static func failure(_ error: any Error, at origin: PushOrigin) -> PushError {
        switch error {
        case let error as PushError: error
        case is CancellationError: .cancelled
        case NIOSSLError.uncleanShutdown: .unreachable(origin)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .untrusted(origin)
        case is ResponseBound.Exceeded, is HTTPParserError: .brokenAnswer(origin)
        default: .unreachable(origin)
        }
    }
}
