import HTTPTypes
import Hummingbird
import HummingbirdCore
import Kernel
import Logging
import NIOCore
import NIOHTTPTypes
import Synchronization
import Transport

/// Runs the HTTP connections of the listener, each in a task that this owns.
final class HTTPConnections: Sendable {
    private struct State {
        var accepted: [HTTP1Channel.Value] = []
        var open = OldestFirst<any Channel>()
        var isFinished = false
    }

    /// Paths that the server itself answers on its own port.
    static let reservedPaths = [
        "/", "/health", "/healthz", "/stats", "/metrics", "/turn-credentials", "/ice",
    ]

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    private let http: HTTP1Channel
    private let lifetimes: Lifetimes
    private let limits: SignalingLimits
    private let logger: Logger
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// - Parameter routes: What features answer here; the router answers the rest.
    init(router: Router<BasicRequestContext>, routes: RouteTable = RouteTable(), relay: Relay, logger: Logger) {
        let responder = router.buildResponder()
        let lifetimes = Lifetimes(limit: relay.limits.httpLifetime)
        self.lifetimes = lifetimes
        http = HTTP1Channel(
            responder: { request, writer, channel in
                if let refusal = relay.refusal(
                    host: request.head.authority,
                    origin: request.headers[.origin],
                    local: channel.localAddress,
                    peer: ClientAddress(channel.remoteAddress),
                    now: relay.time.ticks
                ) {
                    let response = Response(
                        status: .init(code: refusal.status, reasonPhrase: refusal.phrase),
                        headers: [.contentType: "text/plain; charset=utf-8"],
                        body: ResponseBody(byteBuffer: ByteBuffer(string: refusal.sentence))
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
            },
            configuration: HTTP1Channel.Configuration(
                idleTimeout: .seconds(30),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024,
                    maxHeaderListSize: 32 * 1024,
                    maxHeaderFieldCount: 100
                )
            )
        )
        limits = relay.limits
        self.logger = logger
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Puts an HTTP pipeline into an accepted connection; false at the end. Where there are too many, the oldest gives way: a
    /// request takes moments, so that one is idle or slow on purpose.
    func accept(_ channel: any Channel) -> EventLoopFuture<Bool> {
        let place = state.withLock { state -> (UInt64, (any Channel)?)? in
            guard !state.isFinished else { return nil }
            let oldest = state.open.count >= limits.httpConnections ? state.open.takeOldest() : nil
            return (state.open.append(channel), oldest)
        }
        guard let (place, oldest) = place else { return channel.eventLoop.makeSucceededFuture(false) }
        oldest?.close(promise: nil)
        lifetimes.begin(channel)
        channel.closeFuture.whenComplete { [self] _ in
            lifetimes.end(channel)
            state.withLock { $0.open.remove(place) }
        }
        return http.setup(channel: channel, logger: logger).map { [self] value in
            state.withLock { $0.accepted.append(value) }
            wakeUp.yield()
            return true
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
        let peer = ClientAddress(channel.remoteAddress)
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
            return try await HTTPRouteAnswer.answer(request, by: route, parameters: parameters, client: client)
        } catch {
            logger.error("a feature's route failed", metadata: ["path": "\(route.path)", "error": "\(error)"])
            return HTTPRouteAnswer.plain(.internalServerError)
        }
    }

    func finish() {
        state.withLock { $0.isFinished = true }
        wakeUp.finish()
    }

    /// Serves until ``finish()``, then ends what is still open.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in wakeUps { serveAccepted(&group) }
            // An accepted connection must be handled, if only to be closed.
            serveAccepted(&group)
            group.cancelAll()
        }
    }

    private func serveAccepted(_ group: inout DiscardingTaskGroup) {
        let accepted = state.withLock { state in
            defer { state.accepted = [] }
            return state.accepted
        }
        for value in accepted {
            group.addTask { [http, logger] in await http.handle(value: value, logger: logger) }
        }
    }
}
