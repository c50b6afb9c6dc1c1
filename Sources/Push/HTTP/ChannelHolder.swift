import NIOCore
import NIOSSL
import Synchronization

/// A channel that is being opened, so that it can be closed at any time: also before it is there.
final class ChannelHolder: Sendable {
    private enum State {
        case empty
        case open(any Channel)
        case closed
    }

    private let state = Mutex(State.empty)

    /// - Throws: `CancellationError` when it was closed before.
    func attach(_ channel: any Channel) throws {
        try state.withLock { state in
            if case .closed = state { throw CancellationError() }
            state = .open(channel)
        }
    }

    /// Ends the connection at once, without TLS's farewell: a service that does not answer it would hold the socket for seconds.
    func close() {
        let channel: (any Channel)? = state.withLock { state in
            defer { state = .closed }
            if case .open(let channel) = state { return channel }
            return nil
        }
        guard let channel else { return }
        channel.eventLoop.execute {
            // From the place of the TLS handler towards the socket, so that the handler is not asked. It may not be there yet.
            if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self) {
                tls.close(promise: nil)
            } else {
                channel.close(promise: nil)
            }
        }
    }
}
