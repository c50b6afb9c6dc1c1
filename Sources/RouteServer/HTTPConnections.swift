import HTTPTypes
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypes
import Synchronization
import Transport

/// Runs the HTTP connections of a listener, each in a task that this owns.
package final class HTTPConnections: Sendable {
    /// Answers one request; the lifetimes are those of the listener's connections.
    package typealias Responder =
        @Sendable (Request, consuming ResponseWriter, any Channel, Lifetimes) async throws -> Void

    private struct State {
        var accepted: [HTTP1Channel.Value] = []
        var open = OldestFirst<any Channel>()
        var isFinished = false
    }

    private let http: HTTP1Channel
    private let lifetimes: Lifetimes
    private let limit: Int
    private let logger: Logger
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - limit: Connections that are open at once.
    ///   - lifetime: How long one may stay, whatever it does.
    package init(limit: Int, lifetime: Duration, logger: Logger, responder: @escaping Responder) {
        let lifetimes = Lifetimes(limit: lifetime)
        self.lifetimes = lifetimes
        self.limit = limit
        http = HTTP1Channel(
            responder: { request, writer, channel in try await responder(request, writer, channel, lifetimes) },
            configuration: HTTP1Channel.Configuration(
                idleTimeout: .seconds(30),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024,
                    maxHeaderListSize: 32 * 1024,
                    maxHeaderFieldCount: 100
                )
            )
        )
        self.logger = logger
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Puts an HTTP pipeline into an accepted connection; false at the end. Where there are too many, the oldest gives way: a
    /// request takes moments, so that one is idle or slow on purpose.
    package func accept(_ channel: any Channel) -> EventLoopFuture<Bool> {
        let place = state.withLock { state -> (UInt64, (any Channel)?)? in
            guard !state.isFinished else { return nil }
            let oldest = state.open.count >= limit ? state.open.takeOldest() : nil
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

    package func finish() {
        state.withLock { $0.isFinished = true }
        wakeUp.finish()
    }

    /// Serves until ``finish()``, then ends what is still open.
    package func run() async {
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
