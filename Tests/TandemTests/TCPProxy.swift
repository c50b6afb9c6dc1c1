import NIOCore
import NIOPosix
import Synchronization

/// A way between two programs that a test can cut and mend: forwards bytes from a port of its own to another one.
final class TCPProxy: Sendable {
    private struct State {
        var listener: (any Channel)?
        var pairs: [any Channel] = []
        var isStalled = false
        /// What was read before the stop and is not handed on.
        var held: [(to: any Channel, bytes: ByteBuffer)] = []
    }

    private let target: Int
    private let state = Mutex(State())

    /// - Parameter target: The loopback port where connections go.
    init(target: Int) {
        self.target = target
    }

    /// Opens the way, on the same port as before if it was open before.
    ///
    /// - Returns: The port.
    func open(port: Int = 0) async throws -> Int {
        let target = target
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [self] inbound in
                keep(inbound)
                return ClientBootstrap(group: inbound.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .channelInitializer { outbound in
                        outbound.pipeline.addHandler(Pump(to: inbound, of: self))
                    }
                    .connect(host: "127.0.0.1", port: target)
                    .flatMap { outbound in
                        self.keep(outbound)
                        return inbound.pipeline.addHandler(Pump(to: outbound, of: self)).flatMap {
                            inbound.setOption(.autoRead, value: true).and(outbound.setOption(.autoRead, value: true))
                                .map { _ in }
                        }
                    }
            }
            .bind(host: "127.0.0.1", port: port)
            .get()
        state.withLock { $0.listener = listener }
        return listener.localAddress?.port ?? 0
    }

    /// Cuts the way: connections end at once, new ones are refused.
    func cut() async throws {
        let (listener, pairs) = state.withLock { state in
            defer { state = State() }
            return (state.listener, state.pairs)
        }
        try await listener?.close()
        for channel in pairs where channel.isActive { channel.close(promise: nil) }
    }

    /// Stops, as a process that is stopped: connections stay up, nothing is read from them and nothing handed on.
    func stall() {
        let pairs = state.withLock { state in
            state.isStalled = true
            return state.pairs
        }
        for channel in pairs { channel.setOption(.autoRead, value: false).whenComplete { _ in } }
    }

    func goOn() {
        let (pairs, held) = state.withLock { state in
            state.isStalled = false
            defer { state.held = [] }
            return (state.pairs, state.held)
        }
        for (channel, bytes) in held { channel.writeAndFlush(bytes, promise: nil) }
        for channel in pairs { channel.setOption(.autoRead, value: true).whenComplete { _ in } }
    }

    fileprivate func handOn(_ bytes: ByteBuffer, to channel: any Channel) {
        let passes = state.withLock { state in
            if state.isStalled { state.held.append((channel, bytes)) }
            return !state.isStalled
        }
        if passes { channel.writeAndFlush(bytes, promise: nil) }
    }

    private func keep(_ channel: any Channel) {
        state.withLock { $0.pairs.append(channel) }
    }
}

private final class Pump: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let other: any Channel

    private let proxy: TCPProxy

    init(to other: any Channel, of proxy: TCPProxy) {
        self.other = other
        self.proxy = proxy
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        proxy.handOn(unwrapInboundIn(data), to: other)
    }

    func channelInactive(context: ChannelHandlerContext) {
        other.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
