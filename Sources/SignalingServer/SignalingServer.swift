import Dispatch
public import Foundation
public import GRDB
public import Hummingbird
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization
import Transport

/// The signaling server: WebSocket relay, mailbox and HTTP on one port. In the hub and in every desktop.
public final class SignalingServer: Service {
    private enum Binding {
        case starting([CheckedContinuation<Int, any Error>])
        case bound(port: Int, Relay)
        /// Why it does not listen, or does no more.
        case stopped(any Error)
    }

    private let configuration: SignalingServerConfiguration
    private let mailbox: any Mailbox
    private let directory: any Directory
    private let listener: WebSocketListener
    private let logger: Logger
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let ticks: @Sendable () -> UInt64
    private let metrics: PrometheusMetrics?
    private let addRoutes: @Sendable (Router<BasicRequestContext>) -> Void
    private let binding = Mutex(Binding.starting([]))

    /// Nanoseconds since the machine started.
    public static let systemTicks: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }

    /// - Parameters:
    ///   - now: What time to write down.
    ///   - ticks: Nanoseconds of a clock that nobody sets, for durations.
    ///   - metrics: What `/metrics` shows; nil leaves it out.
    ///   - routes: Adds HTTP routes of other features to the same port.
    /// - Throws: `TLSFilesError` when the certificate cannot be used.
    public init(
        configuration: SignalingServerConfiguration,
        mailbox: any Mailbox,
        directory: any Directory,
        logger: Logger,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        ticks: @escaping @Sendable () -> UInt64 = SignalingServer.systemTicks,
        metrics: PrometheusMetrics? = nil,
        routes: @escaping @Sendable (Router<BasicRequestContext>) -> Void = { _ in }
    ) throws {
        self.configuration = configuration
        self.mailbox = mailbox
        self.directory = directory
        self.logger = logger
        self.clock = clock
        self.now = now
        self.ticks = ticks
        self.metrics = metrics
        addRoutes = routes
        var options = WebSocketListener.Options()
        options.handshakeTimeout = configuration.limits.handshakeTimeout
        listener = try WebSocketListener(tls: configuration.tls, options: options)
    }

    /// With mailbox and directory in one SQLite database.
    public convenience init(
        configuration: SignalingServerConfiguration,
        database: any DatabaseWriter,
        logger: Logger,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        ticks: @escaping @Sendable () -> UInt64 = SignalingServer.systemTicks,
        metrics: PrometheusMetrics? = nil,
        routes: @escaping @Sendable (Router<BasicRequestContext>) -> Void = { _ in }
    ) throws {
        try self.init(
            configuration: configuration,
            mailbox: SQLiteMailbox(database, limits: configuration.limits),
            directory: SQLiteDirectory(database, limits: configuration.limits),
            logger: logger,
            clock: clock,
            now: now,
            ticks: ticks,
            metrics: metrics,
            routes: routes
        )
    }

    /// The port that is listened on, once it is.
    ///
    /// - Throws: Why the server ended without listening; ``SignalingServerError/stopped`` once it was shut down.
    public func boundPort() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            binding.withLock { binding in
                switch binding {
                case .starting(let waiting): binding = .starting(waiting + [continuation])
                case .bound(let port, _): continuation.resume(returning: port)
                case .stopped(let reason): continuation.resume(throwing: reason)
                }
            }
        }
    }

    /// Serves until graceful shutdown: then everyone is told, and `run` returns when the last socket is closed.
    public func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.eventLoops))
        do {
            try await serve(on: group)
        } catch {
            settle(.stopped(error))
            try await group.shutdownGracefully()
            throw error
        }
        settle(.stopped(SignalingServerError.stopped))
        try await group.shutdownGracefully()
    }

    private func serve(on group: MultiThreadedEventLoopGroup) async throws {
        let counters = RelayCounters()
        let store = StoreQueue(
            mailbox: mailbox,
            directory: directory,
            limits: configuration.limits,
            counters: counters,
            now: now,
            ticks: ticks,
            logger: logger
        )
        let eventLoops = Array(group.makeIterator())
        let relay = Relay(
            configuration: configuration,
            store: store,
            counters: counters,
            eventLoops: eventLoops,
            requestGuard: RequestGuard(
                names: ServerNames(
                    configured: configuration.names + [configuration.address],
                    machine: Self.machineName,
                    certificateNames: { [listener] in listener.certificateNames }
                ),
                allowedOrigins: Set(configuration.allowedOrigins.map { $0.lowercased() })
            ),
            now: now,
            ticks: ticks,
            logger: logger
        )
        let router = Router()
        SignalingRoutes(relay: relay, mailbox: mailbox, metrics: metrics).add(to: router)
        addRoutes(router)
        let http = HTTPConnections(router: router, relay: relay, logger: logger)
        let channel = try await listen(on: group, relay: relay, http: http)
        let port = channel.localAddress?.port ?? configuration.port
        settle(.bound(port: port, relay))
        logger.notice(
            "signaling server listening",
            metadata: [
                "address": "\(configuration.address)", "port": "\(port)", "tls": "\(configuration.tls != nil)",
                "dialect": "\(configuration.dialect.rawValue)",
            ]
        )
        await withTaskGroup { tasks in
            tasks.addTask { await store.run() }
            tasks.addTask { await http.run() }
            tasks.addTask { [clock] in await relay.keepHouse(clock: clock) }
            await Self.untilShutdown()
            // Closing a listener that failed already changes nothing.
            try? await channel.close()
            await relay.shutDown()
            http.finish()
            store.finish()
            // Housekeeping sleeps until it is cancelled; the other two end by themselves when their work is done.
            _ = await tasks.next()
            _ = await tasks.next()
            tasks.cancelAll()
        }
    }

    /// Returns at graceful shutdown, or when the task is cancelled.
    private static func untilShutdown() async {
        do {
            try await gracefulShutdown()
        } catch {
            // Cancelled: the shutdown is the same.
        }
    }

    private func listen(
        on group: MultiThreadedEventLoopGroup,
        relay: Relay,
        http: HTTPConnections
    ) async throws -> any Channel {
        let configuration = configuration
        let mayBePublic = configuration.tls != nil || configuration.allowsPlainOnPublicAddresses
        let literal = try? SocketAddress(ipAddress: configuration.address, port: configuration.port)
        // A name is not an address; where it leads is checked for each connection.
        if !mayBePublic, let literal, NetworkScope(literal).reach == .everywhere {
            throw SignalingServerError.plainOnPublicAddress(configuration.address)
        }
        do {
            return try await listener.bind(
                host: configuration.address,
                port: configuration.port,
                group: group,
                admit: { channel in
                    guard mayBePublic || channel.localAddress.map({ NetworkScope($0).isPrivate }) ?? false else {
                        return false
                    }
                    return relay.admit(channel)
                },
                sendsProxyHeader: { channel in relay.sendsProxyHeader(channel) },
                routes: .init(
                    upgrade: { request, channel in relay.accept(request, channel) },
                    http: { channel in http.accept(channel) }
                )
            )
        } catch {
            throw SignalingServerError.cannotListen(
                address: configuration.address,
                port: configuration.port,
                reason: (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
            )
        }
    }

    private func settle(_ outcome: Binding) {
        let waiting = binding.withLock { binding in
            defer { binding = outcome }
            if case .starting(let waiting) = binding { return waiting }
            return []
        }
        for continuation in waiting {
            switch outcome {
            case .bound(let port, _): continuation.resume(returning: port)
            case .stopped(let reason): continuation.resume(throwing: reason)
            case .starting: continue  // nothing settles back to the beginning
            }
        }
    }

    /// Reads the certificate and key again: connections from now on use them. For SIGHUP.
    ///
    /// - Throws: `TLSFilesError`; the certificate in use stays then.
    public func reloadCertificates() throws {
        guard let files = configuration.tls else { return }
        try listener.reload(files)
        logger.notice("certificates reloaded")
    }

    /// Whether whoever is registered as `id` is connected from this machine or its own network.
    public func isLocal(_ id: String) -> Bool {
        guard case .bound(_, let relay) = binding.withLock({ $0 }) else { return false }
        return relay.registry.isLocal(PeerID(id))
    }

    /// SHA-256 of the certificate that is in use, DER; nil without TLS. For a client in the same process.
    public var certificateHash: [UInt8]? { listener.certificateHash }

    /// The DNS names in that certificate.
    public var certificateNames: [String] { listener.certificateNames }

    /// Disconnects a device, telling it why.
    ///
    /// - Returns: Whether it was connected.
    @discardableResult
    public func kick(_ id: String, reason: String) -> Bool {
        guard case .bound(_, let relay) = binding.withLock({ $0 }) else { return false }
        return relay.kick(PeerID(id), reason: reason)
    }

    /// Takes an id from the key that owns it, with what waits for it, and disconnects who has it: whoever proves it next owns it.
    ///
    /// - Returns: Whether it belonged to a key.
    /// - Throws: What the database says.
    public func release(_ id: String) async throws -> Bool {
        let id = PeerID(id)
        let wasOwned = try await directory.release(id)
        try await mailbox.remove(for: id, through: .max)
        kick(id.description, reason: "The operator of this server released the id.")
        return wasOwned
    }

    /// Who is connected.
    public func peers() -> [ConnectedPeer] {
        guard case .bound(_, let relay) = binding.withLock({ $0 }) else { return [] }
        return relay.registry.connectedPeers()
    }

    /// What this machine is called; empty when the system does not tell.
    private static var machineName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        // One byte less than there is room for, so that the name always ends.
        let isKnown = gethostname(&bytes, bytes.count - 1) == 0
        return isKnown ? String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    }
}
