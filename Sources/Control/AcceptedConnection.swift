import NIOCore
import Synchronization

/// A connection of the control socket. One that comes while the server ends is served by nobody and closed: NIO ends a program that lets go of a
/// connection whose writer was not finished.
final class AcceptedConnection: Sendable {
    private let connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private let isServed = Mutex(false)

    /// Call it on the channel's event loop.
    init(_ channel: any Channel) throws {
        connection = try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    }

    deinit {
        guard !isServed.withLock(\.self) else { return }
        Task { [connection] in try? await connection.executeThenClose { _, _ in } }
    }

    /// Closes the connection when `body` returns. Call it once.
    func serve(
        _ body: (
            NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>
        ) async throws -> Void
    ) async throws {
        isServed.withLock { $0 = true }
        try await connection.executeThenClose(body)
    }
}
