import DequeModule
import Foundation
import Kernel
package import NIOCore
import NIOPosix
import Synchronization

/// A TCP connection to another program of this machine. Reads only when it is asked to, so that a program whose bytes are not taken has to wait.
package final class PortConnection: PortEnd {
    private struct Inbox {
        var pieces: Deque<[UInt8]> = []
        var reader: CheckedContinuation<Found, any Error>?
        /// Nothing more comes: an orderly end, or the error.
        var end: Result<Void, any Error>?
        /// What is read from once this end writes nothing more.
        var half: ReadingHalf?
    }

    /// What a reader finds.
    private enum Found {
        case piece([UInt8])
        case end
        /// It is read elsewhere from now on.
        case half(ReadingHalf)
    }

    private let channel: any Channel
    private let inbox = Mutex(Inbox())

    private init(_ channel: any Channel) { self.channel = channel }

    // MARK: Making

    /// Connects to a port of this machine: to 127.0.0.1, and where nothing listens there to ::1. Never to another host.
    ///
    /// - Throws: ``PortError/nothingListens(port:)``.
    package static func dial(port: Int, within limit: Duration) async throws(PortError) -> PortConnection {
        for host in ["127.0.0.1", "::1"] {
            do {
                return try await client(within: limit).connect(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture { try adopt(channel) }
                }
            } catch {
                // Tried at the other address, and said below.
            }
        }
        throw .nothingListens(port: port)
    }

    /// Listens on a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: 0 for any.
    ///   - accepted: Told of each connection, on its event loop.
    /// - Throws: ``PortError/notListening(port:reason:)``.
    package static func listen(
        port: Int,
        _ accepted: @escaping @Sendable (PortConnection) -> Void
    ) async throws(PortError) -> any Channel {
        do {
            return try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.backlog, value: 64)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.autoRead, value: false)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelOption(.recvAllocator, value: allocator)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { accepted(try adopt(channel)) }
                }
                .bind(host: "127.0.0.1", port: port).get()
        } catch {
            throw .notListening(port: port, reason: reason(error))
        }
    }

    private static let allocator = FixedSizeRecvByteBufferAllocator(capacity: PortLimits.frameBytes)

    private static func client(within limit: Duration) -> ClientBootstrap {
        ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(TimeAmount(limit))
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: allocator)
    }

    private static func adopt(_ channel: any Channel) throws -> PortConnection {
        let connection = PortConnection(channel)
        try channel.pipeline.syncOperations.addHandler(PortChannelHandler(connection))
        return connection
    }

    private static func reason(_ error: any Error) -> String {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?: "another program listens there"
        case EACCES?: "the system reserves it"
        default: "the system refused it"
        }
    }

    // MARK: Reading and writing

    package func read() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            switch try await next() {
            case .piece(let piece): return piece
            case .end: return nil
            case .half(let half):
                let piece = try await half.read()
                // Where the reading was stopped meanwhile, that says how.
                if let end = inbox.withLock(\.end) {
                    try end.get()
                    return nil
                }
                return piece
            }
        } onCancel: {
            close(broken: true)
        }
    }

    private func next() async throws -> Found {
        try await withCheckedThrowingContinuation { continuation in
            let (answer, wants) = inbox.withLock { inbox -> (Result<Found, any Error>?, Bool) in
                if let piece = inbox.pieces.popFirst() { return (.success(.piece(piece)), false) }
                if let end = inbox.end { return (end.map { .end }, false) }
                if let half = inbox.half { return (.success(.half(half)), false) }
                inbox.reader = continuation
                return (nil, true)
            }
            if let answer { continuation.resume(with: answer) }
            if wants { channel.read() }
        }
    }

    package func write(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(channel.allocator.buffer(bytes: bytes)).get()
    }

    package func finish() async throws {
        try await channel.eventLoop.submit { [self] in
            let isEnded = inbox.withLock { $0.end != nil || $0.half != nil }
            guard channel.isActive, !isEnded else { return channel.close(mode: .output, promise: nil) }
            let operations = channel.pipeline.syncOperations
            let half = try operations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
                try ReadingHalf(of: socket)
            }
            guard let half else { return channel.close(mode: .output, promise: nil) }
            let reader = inbox.withLock { inbox -> CheckedContinuation<Found, any Error>? in
                inbox.half = half
                defer { inbox.reader = nil }
                return inbox.reader
            }
            half.endWriting()
            channel.close(mode: .all, promise: nil)
            reader?.resume(returning: .half(half))
        }.get()
    }

    package func close(broken: Bool) {
        inbox.withLock(\.half)?.close(broken: broken)
        if broken, let provider = channel as? any SocketOptionProvider {
            // The peer sees that it was cut; a proper end could be taken for all of it.
            provider.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { [channel] _ in
                channel.close(mode: .all, promise: nil)
            }
        } else {
            channel.close(mode: .all, promise: nil)
        }
    }

    /// Ends the reading alone, as at the peer's end or, with an error, as where it broke. What was written goes out, and more can be written.
    func stopReading(_ result: Result<Void, any Error> = .success(())) {
        ended(result, isOwn: true)
        inbox.withLock(\.half)?.close(broken: false)
    }

    // MARK: The channel

    fileprivate func arrived(_ bytes: [UInt8]) {
        let reader = inbox.withLock { inbox -> CheckedContinuation<Found, any Error>? in
            if let reader = inbox.reader {
                inbox.reader = nil
                return reader
            }
            inbox.pieces.append(bytes)
            return nil
        }
        reader?.resume(returning: .piece(bytes))
    }

    /// Whether somebody waits for bytes.
    fileprivate var isRead: Bool { inbox.withLock { $0.reader != nil } }

    /// - Parameter isOwn: Said by this program. The channel's end says nothing any more once it is read elsewhere.
    fileprivate func ended(_ result: Result<Void, any Error>, isOwn: Bool = false) {
        let reader = inbox.withLock { inbox -> CheckedContinuation<Found, any Error>? in
            guard isOwn || inbox.half == nil else { return nil }
            if inbox.end == nil { inbox.end = result }
            defer { inbox.reader = nil }
            return inbox.reader
        }
        reader?.resume(with: result.map { .end })
    }
}

private final class PortChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: PortConnection

    init(_ connection: PortConnection) { self.connection = connection }

    func channelActive(context: ChannelHandlerContext) {
        // What was asked for before a connection was whole is not remembered.
        if connection.isRead { context.read() }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.arrived(Array(buffer: unwrapInboundIn(data)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { connection.ended(.success(())) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.ended(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.ended(.failure(PortError.ended(.closed)))
        context.fireChannelInactive()
    }
}
