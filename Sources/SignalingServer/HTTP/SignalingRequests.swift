import HTTPTypes
import Hummingbird
import HummingbirdCore
import Kernel
import Logging
import NIOCore
import RouteServer
import Transport

/// Answers HTTP requests: by the routes of features first, then by the server's own.
enum SignalingRequests {
    /// Paths that the server itself answers on its own port.
    static let reservedPaths = [
        "/", "/health", "/healthz", "/stats", "/metrics", "/turn-credentials", "/ice",
    ]

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    /// - Parameter routes: The routes of features on this port; the router answers the rest.
    static func connections(
        router: Router<BasicRequestContext>,
        routes: RouteTable,
        relay: Relay,
        logger: Logger
    ) -> HTTPConnections {
        let responder = router.buildResponder()
        return HTTPConnections(
            limit: relay.limits.httpConnections,
            lifetime: relay.limits.httpLifetime,
            logger: logger
        ) { request, writer, channel, lifetimes in
            if let refusal = relay.refusal(
                RequestClaims(request.head),
                local: channel.localAddress,
                peer: NetworkAddress(channel.remoteAddress),
                now: relay.time.ticks
            ) {
                let response = Response(
                    status: .init(code: refusal.status, reasonPhrase: refusal.phrase),
                    headers: [.contentType: "text/plain; charset=utf-8"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: relay.requestGuard.sentence(refusal)))
                )
                return try await writer.write(response: response.head, body: response.body)
            }
            switch routes.http(request.head.method.rawValue, request.uri.path[...]) {
            case .none: break
            case .otherMethods(let methods):
                let fields: HTTPFields = [.allow: methods.joined(separator: ", ")]
                let response = HTTPRouteAnswer.plain(.methodNotAllowed, fields: fields)
                return try await writer.write(response: response.head, body: response.body)
            case .route(let route, let parameters):
                let response = await Self.answer(
                    request,
                    by: route,
                    parameters: parameters,
                    on: channel,
                    relay: relay,
                    lifetimes: lifetimes,
                    logger: logger
                )
                return try await writer.write(response: response.head, body: response.body)
            }
            let context = BasicRequestContext(
                source: ApplicationRequestContextSource(channel: channel, logger: logger)
            )
            let response: Response
            do {
                response = try await responder.respond(to: request, context: context)
            } catch {
                logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
                response = Response(status: .internalServerError)
            }
            try await writer.write(response: response.head, body: response.body)
        }
    }

    /// Asks a feature, within its address's limits.
    private static func answer(
        _ request: Request,
        by route: HTTPRoute,
        parameters: [String: String],
        on channel: any Channel,
        relay: Relay,
        lifetimes: Lifetimes,
        logger: Logger
    ) async -> Response {
        let peer = NetworkAddress(channel.remoteAddress)
        let client = relay.client(behind: peer, source: lifetimes.source(of: channel)) {
            forwardedFor.map { request.headers[values: $0] } ?? []
        }
        let wait = relay.addresses.spendRequest(client, now: relay.time.ticks)
        guard wait == 0 else {
            let seconds = wait / 1_000_000_000 + 1
            return HTTPRouteAnswer.plain(.tooManyRequests, fields: [.retryAfter: "\(seconds)"])
        }
        if let duration = route.duration { lifetimes.extend(channel, to: duration) }
        do {
            return try await HTTPRouteAnswer.answer(
                request,
                by: route,
                parameters: parameters,
                clientAddress: client?.text,
                channel: channel
            )
        } catch {
            logger.error("a feature's route failed", metadata: ["path": "\(route.path)", "error": "\(error)"])
            return HTTPRouteAnswer.plain(.internalServerError)
        }
    }
}
