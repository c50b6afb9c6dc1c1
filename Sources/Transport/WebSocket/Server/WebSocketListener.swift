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
    /// The names of a certificate that may still have to come: until it is there, only its authority's challenges are answered. Nil: none comes.
    private let awaitedNames: [String]?
    /// By their names.
    private let challenges = Mutex<[String: ChallengeIdentity]>([:])

    /// - Throws: ``TLSFilesError``.
    package init(tls files: TLSFiles?, options: Options = Options()) throws {
        tls = Mutex(try files?.identity())
        awaitedNames = nil
        self.options = options
    }

    /// A listener with the certificate that is in the files, if there is a good one, and else with the one that comes: see ``reload(_:)``.
    package init(awaiting files: TLSFiles, for names: [String], options: Options = Options()) {
        // One that cannot be used is replaced by the one that comes, too.
        tls = Mutex(try? files.identity())
        awaitedNames = names
        self.options = options
    }

    package init(identity: TLSIdentity?, options: Options = Options()) {
        tls = Mutex(identity)
        awaitedNames = nil
        self.options = options
    }

    /// Connections from now on that a certificate's authority opens for this challenge get its certificate.
    package func answer(_ challenge: ChallengeIdentity) { challenges.withLock { $0[challenge.name] = challenge } }

    package func withdrawChallenge(for name: String) { challenges.withLock { $0[name.lowercased()] = nil } }

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

    /// The DNS names in that certificate, or in the one that is to come.
    package var certificateNames: [String] { tls.withLock { $0?.names } ?? awaitedNames ?? [] }

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
                    let challenges = challenges.withLock { $0 }
                    if !challenges.isEmpty {
                        try pipeline.addHandler(
                            ChallengeSniffer(challenges, timeout: timeout) { [self] pipeline in
                                try addHandlers(to: pipeline, identity, routes, proxy)
                            }
                        )
                        return
                    }
                    guard let identity, options.acceptsPlain else {
                        return try addHandlers(to: pipeline, identity, routes, proxy)
                    }
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
                }
            }
            .bind(host: host, port: port)
            .get()
    }

    /// - Throws: `ChannelError.eof` while the certificate is still to come.
    private func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations,
        _ identity: TLSIdentity?,
        _ routes: WebSocketAcceptHandler.Routes,
        _ proxy: ProxyHeaderHandler?
    ) throws {
        guard identity != nil || awaitedNames == nil else { throw ChannelError.eof }
        if let identity { try pipeline.addHandler(NIOSSLServerHandler(context: identity.context)) }
        try pipeline.addHandler(
            WebSocketAcceptHandler(
                routes: routes,
                timeout: TimeAmount(options.handshakeTimeout),
                proxy: proxy,
                certificateHash: identity?.certificateHash
            )
        )
    }
}
