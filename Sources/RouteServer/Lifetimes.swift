package import NIOCore
import Synchronization
import Transport

/// How long HTTP connections may stay, whatever they do: as long as the server allows each, and longer for a request whose route says so.
/// It also holds the clients' addresses, where a proxy said them before the first request.
package final class Lifetimes: Sendable {
    private struct Life {
        var end: NIODeadline
        let source: SocketAddress?
    }

    private let limit: TimeAmount
    private let lives = Mutex<[ObjectIdentifier: Life]>([:])

    package init(limit: Duration) { self.limit = TimeAmount(limit) }

    /// Ends `channel` when its time is over. Called on its event loop.
    package func begin(_ channel: any Channel) {
        // Without a trusted proxy in front there is no such handler.
        let proxy = try? channel.pipeline.syncOperations.handler(type: ProxyHeaderHandler.self)
        let life = Life(end: .now() + limit, source: proxy?.source)
        lives.withLock { $0[ObjectIdentifier(channel)] = life }
        watch(channel, for: limit)
    }

    /// The channel is closed.
    package func end(_ channel: any Channel) { lives.withLock { $0[ObjectIdentifier(channel)] = nil } }

    /// The client's address as a header of the PROXY protocol said it; nil where none did.
    package func source(of channel: any Channel) -> SocketAddress? {
        lives.withLock { $0[ObjectIdentifier(channel)]?.source }
    }

    /// From now on the connection may stay `duration`, unless it may stay longer already.
    package func extend(_ channel: any Channel, to duration: Duration) {
        lives.withLock { lives in
            // It may be closed by now.
            guard let life = lives[ObjectIdentifier(channel)] else { return }
            lives[ObjectIdentifier(channel)]?.end = max(life.end, .now() + TimeAmount(duration))
        }
    }

    private func watch(_ channel: any Channel, for time: TimeAmount) {
        let task = channel.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            guard let end = lives.withLock({ $0[ObjectIdentifier(channel)]?.end }) else { return }
            let rest = end - .now()
            if rest > .zero { watch(channel, for: rest) } else { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }
}
