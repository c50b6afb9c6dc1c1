import Kernel
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// One connection to one checked address, with one request on it.
struct PushExchange: Sendable {
    /// Opens a socket to exactly this address.
    typealias Opening = @Sendable (ClientBootstrap, SocketAddress) -> EventLoopFuture<any Channel>

    let request: PushRequest
    let origin: PushOrigin
    let tls: NIOSSLContext
    let open: Opening
    let time: any TimeSource
    /// How long opening the socket may take.
    let connectLimit: Duration

    /// No socket was opened, so that another address may be tried.
    struct NotConnected: Error {
        let failure: PushError
    }

    /// - Throws: ``NotConnected``; what TLS, HTTP and the socket say of a failure; `CancellationError`.
    func run(at address: SocketAddress) async throws -> PushAnswer {
        let holder = ChannelHolder()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answered = loop.makePromise(of: PushAnswer.self)
        defer {
            holder.close()
            // A promise must not be left. Failing it again changes nothing.
            answered.fail(CancellationError())
        }
        return try await withTaskCancellationHandler {
            do {
                let limit = PushError.timedOut(origin, after: connectLimit)
                _ = try await withTimeout(connectLimit, on: time, throwing: limit) {
                    try await withTaskCancellationHandler {
                        _ = try await open(bootstrap(on: loop, holder, answered), address).get()
                    } onCancel: {
                        holder.close()
                    }
                }
            } catch {
                if Task.isCancelled { throw CancellationError() }
                throw NotConnected(failure: error as? PushError ?? .unreachable(origin))
            }
            return try await answered.futureResult.get()
        } onCancel: {
            // Before the connection says that it ended.
            answered.fail(CancellationError())
            holder.close()
        }
    }

    private func bootstrap(
        on loop: any EventLoop,
        _ holder: ChannelHolder,
        _ answered: EventLoopPromise<PushAnswer>
    ) -> ClientBootstrap {
        ClientBootstrap(group: loop)
            .connectTimeout(.hours(1))  // The limit that counts is `connectLimit`.
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { [request, origin, tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    try holder.attach(channel)
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: origin.host))
                    try pipeline.addHandler(ResponseBound())
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(PushResponseHandler(request, answered: answered))
                }
            }
    }
}
