import NIOCore
import NIOPosix
import Synchronization

/// A way in the network that breaks at places that a test names: forwards connections from a port of its own, and cuts each after so many bytes.
final class CuttingProxy: Sendable {
    private struct State {
        var limits: [Int]
        var staysClosed: Bool
        var listener: (any Channel)?
        var cuts = 0
    }

    private let target: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - target: The loopback port where connections go.
    ///   - limits: Bytes of both directions after which a connection is cut, for the first ones; later ones are left alone.
    ///   - staysClosed: Whether nothing gets through any more after the last cut.
    init(to target: Int, cutting limits: [Int], staysClosed: Bool = false) {
        self.target = target
        state = Mutex(State(limits: limits, staysClosed: staysClosed))
    }

    /// Connections that were cut.
    var cuts: Int { state.withLock(\.cuts) }

    /// - Returns: The port.
    func open() async throws -> Int {
        let target = target
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [self] inbound in
                let budget = Budget(self)
                return ClientBootstrap(group: inbound.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: target)
                    .flatMap { outbound in
                        outbound.pipeline.addHandler(Forward(to: inbound, budget))
                            .and(inbound.pipeline.addHandler(Forward(to: outbound, budget)))
                            .flatMap { _ in
                                inbound.setOption(.autoRead, value: true)
                                    .and(outbound.setOption(.autoRead, value: true)).map { _ in }
                            }
                    }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        state.withLock { $0.listener = listener }
        return listener.localAddress?.port ?? 0
    }

    func close() async {
        // One that is closed already has nothing left to end.
        try? await state.withLock(\.listener)?.close()
    }

    fileprivate func nextLimit() -> Int? {
        state.withLock { state in
            guard state.limits.isEmpty else { return state.limits.removeFirst() }
            return state.staysClosed ? 0 : nil
        }
    }

    fileprivate func noteCut() { state.withLock { $0.cuts += 1 } }
}

/// The bytes that one connection may still carry.
private final class Budget: Sendable {
    private let proxy: CuttingProxy
    private let left: Mutex<Int?>

    init(_ proxy: CuttingProxy) {
        self.proxy = proxy
        left = Mutex(proxy.nextLimit())
    }

    /// - Returns: Whether the connection goes on behind these bytes.
    func spend(_ count: Int) -> Bool {
        let isOver = left.withLock { left in
            guard let rest = left, rest >= 0 else { return left != nil }
            left = rest - count
            if rest - count < 0 { proxy.noteCut() }
            return rest - count < 0
        }
        return !isOver
    }
}

private final class Forward: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let budget: Budget

    init(to other: any Channel, _ budget: Budget) {
        self.other = other
        self.budget = budget
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard budget.spend(bytes.readableBytes) else {
            other.close(promise: nil)
            return context.close(promise: nil)
        }
        other.writeAndFlush(bytes, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        other.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
