package import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// One port for WebSocket and HTTP, with or without TLS.
package final class WebSocketListener: Sendable {
    package struct Options: Sendable {
        package var backlog = 1024
        package var handshakeTimeout = Duration.seconds(10)
        /// The kernel's buffer for each connection. Left to itself it grows to megabytes and hides that a reader stalls.
        package var socketSendBufferBytes = 256 * 1024
        package var readBytes = 64 * 1024
        /// Bytes that a channel may hold before it counts as behind.
        package var channelBufferBytes = 16 * 1024
        /// With a certificate: whether a connection may also come without TLS, which its first byte tells.
        package var acceptsPlain = false

        package init() {}
    }

    private let tls: Mutex<TLSIdentity?>
    private let options: Options

    /// - Throws: ``TLSFilesError``.
    package init(tls files: TLSFiles?, options: Options = Options()) throws {
        tls = Mutex(try files?.identity())
        self.options = options
    }

    package init(identity: TLSIdentity?, options: Options = Options()) {
        tls = Mutex(identity)
        self.options = options
    }

    /// Connections accepted from now on use the certificate that is in the files now.
    ///
    /// - Throws: ``TLSFilesError``; then the old certificate stays in use.
    package func reload(_ files: TLSFiles) throws {
        let identity = try files.identity()
        tls.withLock { $0 = identity }
    }

    /// SHA-256 of the certificate that new connections are opened with; nil without TLS.
    package var certificateHash: [UInt8]? { tls.withLock { $0?.certificateHash } }

    /// SHA-256 of that certificate's key, which a renewed certificate keeps; nil without TLS.
    package var keyHash: [UInt8]? { tls.withLock { $0?.keyHash } }

    /// The DNS names in that certificate.
    package var certificateNames: [String] { tls.withLock { $0?.names ?? [] } }

    /// Listens on one more port, with the same certificate.
    ///
    /// - Parameters:
    ///   - arrived: Told of each connection in the order in which they came, before it has an event loop. Event loops ask `admit` in an
    ///     order of their own.
    ///   - admit: Asked for each connection before anything is read from it, on its event loop.
    ///   - sendsProxyHeader: Whether a connection begins with a header of the PROXY protocol, because a trusted proxy opened it.
    package func bind(
        host: String,
        port: Int,
        group: any EventLoopGroup,
        arrived: (@Sendable (any Channel) -> Void)? = nil,
        admit: @escaping @Sendable (any Channel) -> Bool,
        sendsProxyHeader: @escaping @Sendable (any Channel) -> Bool = { _ in false },
        routes: WebSocketAcceptHandler.Routes
    ) async throws -> any Channel {
        let options = options
        let timeout = TimeAmount(options.handshakeTimeout)
        return try await ServerBootstrap(group: group)
            .serverChannelInitializer { server in
                server.eventLoop.makeCompletedFuture {
                    guard let arrived else { return }
                    try server.pipeline.syncOperations.addHandler(ArrivalHandler(arrived: arrived))
                }
            }
            .serverChannelOption(.backlog, value: Int32(options.backlog))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_sndbuf), value: options.socketSendBufferBytes)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(low: options.channelBufferBytes / 2, high: options.channelBufferBytes)
            )
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: TransientReadAllocator(size: options.readBytes))
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard admit(channel) else { throw ChannelError.eof }
                    let pipeline = channel.pipeline.syncOperations
                    let proxy = sendsProxyHeader(channel) ? ProxyHeaderHandler() : nil
                    if let proxy { try pipeline.addHandler(proxy) }
                    let identity = tls.withLock { $0 }
                    if let identity, options.acceptsPlain {
                        try pipeline.addHandler(
                            TLSSniffer(timeout: timeout) { isSecure, pipeline in
                                if isSecure {
                                    try pipeline.addHandler(NIOSSLServerHandler(context: identity.context))
                                }
                                try pipeline.addHandler(
                                    WebSocketAcceptHandler(
                                        routes: routes,
                                        timeout: timeout,
                                        proxy: proxy,
                                        certificateHash: isSecure ? identity.certificateHash : nil
                                    )
                                )
                            }
                        )
                        return
                    }
                    if let identity { try pipeline.addHandler(NIOSSLServerHandler(context: identity.context)) }
                    try pipeline.addHandler(
                        WebSocketAcceptHandler(
                            routes: routes,
                            timeout: timeout,
                            proxy: proxy,
                            certificateHash: identity?.certificateHash
                        )
                    )
                }
            }
            .bind(host: host, port: port)
            .get()
    }
}
