import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Runs the HTTP connections of the listener, each in a task that this owns.
final class HTTPConnections: Sendable {
    private struct State {
        var accepted: [HTTP1Channel.Value] = []
        var open = 0
        var isFinished = false
    }

    private let http: HTTP1Channel
    private let limit: Int
    private let logger: Logger
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init(router: Router<BasicRequestContext>, limit: Int, logger: Logger) {
        let responder = router.buildResponder()
        http = HTTP1Channel(
            responder: { request, writer, channel in
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
        self.limit = limit
        self.logger = logger
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Puts an HTTP pipeline into an accepted connection; false when there are too many.
    func accept(_ channel: any Channel) -> EventLoopFuture<Bool> {
        let isAdmitted = state.withLock { state in
            guard !state.isFinished, state.open < limit else { return false }
            state.open += 1
            return true
        }
        guard isAdmitted else { return channel.eventLoop.makeSucceededFuture(false) }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.open -= 1 } }
        return http.setup(channel: channel, logger: logger).map { [self] value in
            state.withLock { $0.accepted.append(value) }
            wakeUp.yield()
            return true
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
