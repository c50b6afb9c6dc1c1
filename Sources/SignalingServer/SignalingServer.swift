import Dispatch
import Foundation
package import GRDB
import Hummingbird
package import Kernel
package import Logging
import NIOCore
import NIOPosix
import RouteServer
import ServiceLifecycle
import Synchronization
package import Transport

/// The signaling server: WebSocket relay, mailbox and HTTP on one port. In the hub and in every desktop.
package final class SignalingServer: Service {
    private enum Binding {
        case starting([CheckedContinuation<Ports, any Error>])
        case bound(Ports, Relay)
        /// Why it does not listen, or does no more.
        case stopped(any Error)
    }

    /// The port of the relay, and those that features have for themselves, by their names.
    private struct Ports: Sendable {
        var shared: Int
        var own: [String: Int] = [:]
    }

    private let configuration: SignalingServerConfiguration
    private let tables: [RoutePort: RouteTable]
    let mailbox: any Mailbox
    private let directory: any Directory
    private let listener: WebSocketListener
    private let logger: Logger
    private let time: any TimeSource
    private let metrics: PrometheusMetrics?
    private let binding = Mutex(Binding.starting([]))

    /// - Parameter metrics: The metrics that `/metrics` shows; nil leaves it out.
    /// - Throws: `TLSFilesError` when the certificate cannot be used, `RouteError` when the routes of features contradict each other.
    package init(
        configuration: SignalingServerConfiguration,
        mailbox: any Mailbox,
        directory: any Directory,
        logger: Logger,
        time: any TimeSource = .system,
        metrics: PrometheusMetrics? = nil
    ) throws {
        self.configuration = configuration
        self.mailbox = mailbox
        self.directory = directory
        self.logger = logger
        self.time = time
        self.metrics = metrics
        tables = try RouteTable.tables(
            webSockets: configuration.webSocketRoutes,
            http: configuration.httpRoutes,
            reserved: SignalingRequests.reservedPaths
        )
        var options = WebSocketListener.Options()
        options.handshakeTimeout = configuration.limits.handshakeTimeout
        if let files = configuration.tls, let names = configuration.awaitedCertificateNames {
            listener = WebSocketListener(awaiting: files, for: names, options: options)
        } else {
            listener = try WebSocketListener(tls: configuration.tls, options: options)
        }
    }

    /// A server with mailbox and directory in one SQLite database.
    package convenience init(
        configuration: SignalingServerConfiguration,
        database: any DatabaseWriter,
        logger: Logger,
        time: any TimeSource = .system,
        metrics: PrometheusMetrics? = nil
    ) throws {
        try self.init(
            configuration: configuration,
            mailbox: SQLiteMailbox(database, limits: configuration.limits),
            directory: SQLiteDirectory(database, limits: configuration.limits),
            logger: logger,
            time: time,
            metrics: metrics
        )
    }

    /// The port that is listened on, once it is.
    ///
    /// - Throws: Why the server ended without listening; ``SignalingServerError/stopped`` once it was shut down.
    package func boundPort() async throws -> Int { try await boundPorts().shared }

    /// The number of a port that features have for themselves, once it is listened on; nil where no route names it.
    ///
    /// - Throws: As ``boundPort()``.
    package func boundPort(named name: String) async throws -> Int? { try await boundPorts().own[name] }

    private func boundPorts() async throws -> Ports {
        try await withCheckedThrowingContinuation { continuation in
            binding.withLock { binding in
                switch binding {
                case .starting(let waiting): binding = .starting(waiting + [continuation])
                case .bound(let ports, _): continuation.resume(returning: ports)
                case .stopped(let reason): continuation.resume(throwing: reason)
                }
            }
        }
    }

    /// Serves until graceful shutdown: then every connection is told, and `run` returns when the last socket is closed.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.eventLoops))
        do {
            try await serve(on: group)
        } catch {
            resolve(.stopped(error))
            try await group.shutdownGracefully()
            throw error
        }
        resolve(.stopped(SignalingServerError.stopped))
        try await group.shutdownGracefully()
    }

    private func serve(on group: MultiThreadedEventLoopGroup) async throws {
        let counters = RelayCounters()
        let store = StoreQueue(
            mailbox: mailbox,
            directory: directory,
            limits: configuration.limits,
            counters: counters,
            time: time,
            logger: logger
        )
        let relay = relay(store, counters, on: group)
        let router = Router()
        SignalingRoutes(relay: relay, mailbox: mailbox, metrics: metrics).add(to: router)
        let sockets = RouteSockets(relay.routeAdmission, logger: logger)
        let shared = tables[.shared] ?? RouteTable()
        var doors = [
            try await listen(
                on: group,
                relay: relay,
                door: Door(
                    port: configuration.port,
                    http: SignalingRequests.connections(router: router, routes: shared, relay: relay, logger: logger),
                    upgrade: { request, channel in
                        guard let (route, parameters) = shared.webSocket(request.path) else {
                            return relay.accept(request, channel)
                        }
                        return sockets.accept(request, channel, route, parameters)
                    }
                )
            )
        ]
        let port = doors[0].channel.localAddress?.port ?? configuration.port
        var ports = Ports(shared: port)
        do {
            for (place, table) in tables {
                guard case .own(let name, let number) = place else { continue }
                let door = try await listen(
                    on: group,
                    relay: relay,
                    door: Self.door(of: table, at: number, relay: relay, sockets: sockets, logger: logger)
                )
                doors.append(door)
                ports.own[name] = door.channel.localAddress?.port ?? number
            }
        } catch {
            for door in doors {
                // The reason to give up is the other one.
                try? await door.channel.close()
                door.http.finish()
            }
            throw error
        }
        resolve(.bound(ports, relay))
        logger.notice(
            "signaling server listening",
            metadata: [
                "address": "\(configuration.address)", "port": "\(port)", "tls": "\(configuration.tls != nil)",
                "dialect": "\(configuration.dialect.rawValue)",
            ]
        )
        await Self.serve(through: doors, relay: relay, sockets: sockets, store: store)
    }

    private func relay(_ store: StoreQueue, _ counters: RelayCounters, on group: MultiThreadedEventLoopGroup) -> Relay {
        Relay(
            configuration: configuration,
            store: store,
            counters: counters,
            eventLoops: Array(group.makeIterator()),
            requestGuard: .signaling(
                ServerNames(
                    configured: configuration.names,
                    address: configuration.address,
                    machine: Self.machineName,
                    certificateNames: { [listener] in listener.certificateNames }
                ),
                allowedOrigins: configuration.allowedOrigins
            ),
            time: time,
            logger: logger
        )
    }

    /// Serves until graceful shutdown, and then ends the parts in the order in which they need each other.
    private static func serve(
        through doors: [OpenDoor],
        relay: Relay,
        sockets: RouteSockets,
        store: StoreQueue
    ) async {
        await withTaskGroup(of: Void.self) { tasks in
            for door in doors { tasks.addTask { await door.http.run() } }
            tasks.addTask { await sockets.run() }
            tasks.addTask { await relay.runMaintenance() }
            await untilShutdown()
            for door in doors {
                // Closing a listener that failed already changes nothing.
                try? await door.channel.close()
            }
            sockets.finish()
            await relay.shutDown()
            for door in doors { door.http.finish() }
            await store.close()
            // Housekeeping sleeps until it is cancelled; the others end by themselves when their work is done.
            for _ in 0..<doors.count + 1 { _ = await tasks.next() }
            tasks.cancelAll()
        }
    }

    /// One port: what its connections become.
    private struct Door: Sendable {
        let port: Int
        let http: HTTPConnections
        let upgrade: @Sendable (WebSocketHandshake.Request, any Channel) -> WebSocketAcceptHandler.Decision
    }

    /// A port that is listened on.
    private struct OpenDoor: Sendable {
        let channel: any Channel
        let http: HTTPConnections
    }

    /// A port without the relay.
    private static func door(
        of table: RouteTable,
        at number: Int,
        relay: Relay,
        sockets: RouteSockets,
        logger: Logger
    ) -> Door {
        let router = Router()
        router.add(middleware: PlainErrors())
        return Door(
            port: number,
            http: SignalingRequests.connections(router: router, routes: table, relay: relay, logger: logger),
            upgrade: { request, channel in
                guard let (route, parameters) = table.webSocket(request.path) else {
                    return .refuse(response: WebSocketHandshake.response(404, "Not Found", sentence: "Not Found"))
                }
                return sockets.accept(request, channel, route, parameters)
            }
        )
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
        door: Door
    ) async throws -> OpenDoor {
        let configuration = configuration
        let mayBePublic = configuration.tls != nil || configuration.allowsPlainOnPublicAddresses
        let literal = try? SocketAddress(ipAddress: configuration.address, port: configuration.port)
        // A name is not an address; where it leads is checked for each connection.
        if !mayBePublic, let literal, NetworkScope(literal).reach == .everywhere {
            throw SignalingServerError.plainOnPublicAddress(configuration.address)
        }
        do {
            let channel = try await listener.bind(
                host: configuration.address,
                port: door.port,
                group: group,
                admit: { channel in
                    guard mayBePublic || channel.localAddress.map({ NetworkScope($0).isPrivate }) ?? false else {
                        return false
                    }
                    return relay.admit(channel)
                },
                sendsProxyHeader: { channel in relay.sendsProxyHeader(channel) },
                routes: .init(
                    upgrade: door.upgrade,
                    http: { channel in door.http.accept(channel) }
                )
            )
            return OpenDoor(channel: channel, http: door.http)
        } catch {
            throw SignalingServerError.cannotListen(
                address: configuration.address,
                port: door.port,
                reason: (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
            )
        }
    }

    private func resolve(_ outcome: Binding) {
        let waiting = binding.withLock { binding in
            defer { binding = outcome }
            if case .starting(let waiting) = binding { return waiting }
            return []
        }
        for continuation in waiting {
            switch outcome {
            case .bound(let ports, _): continuation.resume(returning: ports)
            case .stopped(let reason): continuation.resume(throwing: reason)
            case .starting: continue  // nothing settles back to the beginning
            }
        }
    }

    /// Reads the certificate and key again: connections from now on use them. For SIGHUP.
    ///
    /// - Throws: `TLSFilesError`; the certificate in use stays then.
    package func reloadCertificates() throws {
        guard let files = configuration.tls else { return }
        try listener.reload(files)
        logger.notice("certificates reloaded")
    }

    /// Answers a certificate's authority on the server's port from now on (RFC 8737).
    package func answer(_ challenge: ChallengeIdentity) { listener.answer(challenge) }

    package func withdrawChallenge(for name: String) { listener.withdrawChallenge(for: name) }

    /// The relay, while the server listens.
    var boundRelay: Relay? {
        guard case .bound(_, let relay) = binding.withLock({ $0 }) else { return nil }
        return relay
    }

    /// Whether the device registered as `id` is connected from this machine or its own network.
    package func isLocal(_ id: String) -> Bool {
        guard case .bound(_, let relay) = binding.withLock({ $0 }) else { return false }
        return relay.registry.isLocal(PeerID(id))
    }

    /// SHA-256 of the certificate that is in use, DER; nil without TLS. For a client in the same process.
    package var certificateHash: [UInt8]? { listener.certificateHash }

    /// SHA-256 of that certificate's key, for clients that pin it: see `WebSocketTrust.publicKey(sha256:)`. Nil without TLS.
    package var publicKeyHash: [UInt8]? { listener.keyHash }

    /// The DNS names in that certificate, or in the one that is to come.
    package var certificateNames: [String] { listener.certificateNames }

    /// Disconnects a device, telling it why.
    ///
    /// - Returns: Whether it was connected.
    @discardableResult
    package func kick(_ id: String, reason: String) -> Bool {
        guard case .bound(_, let relay) = binding.withLock({ $0 }) else { return false }
        return relay.kick(PeerID(id), reason: reason)
    }

    /// Takes an id from the key that owns it, with what waits for it, and disconnects its device: the key that proves it next owns it.
    ///
    /// - Returns: Whether it belonged to a key.
    /// - Throws: What the database says.
    package func release(_ id: String) async throws -> Bool {
        let id = PeerID(id)
        let wasOwned = try await directory.release(id)
        try await mailbox.remove(for: id, through: .max)
        kick(id.description, reason: "The operator of this server released the id.")
        return wasOwned
    }

    /// The ids that belong to keys, those that were seen last first.
    ///
    /// - Throws: What the database says.
    package func ownedIDs(after place: OwnedID.Place?, limit: Int) async throws -> [OwnedID] {
        try await directory.owned(after: place, limit: limit)
    }

    /// How many ids belong to keys.
    ///
    /// - Throws: What the database says.
    package func ownedIDCount() async throws -> Int { try await directory.ownedCount() }

    /// What the operator calls ids.
    ///
    /// - Throws: What the database says.
    package func names() async throws -> [PeerID: String] { try await directory.names() }

    /// Gives an id a name, or takes its name away.
    ///
    /// - Returns: False where ``OwnedID/nameLimit`` others have one.
    /// - Throws: What the database says.
    package func name(_ id: PeerID, _ name: String?) async throws -> Bool { try await directory.name(id, name) }

    /// Those of these ids that are connected now.
    package func connected(among ids: [PeerID]) -> Set<PeerID> {
        guard case .bound(_, let relay) = binding.withLock({ $0 }) else { return [] }
        return relay.registry.connected(among: ids)
    }

    /// The devices that are connected.
    package func peers() -> [ConnectedPeer] {
        guard case .bound(_, let relay) = binding.withLock({ $0 }) else { return [] }
        return relay.registry.connectedPeers()
    }

    /// This machine's host name; empty when the system does not tell.
    private static var machineName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        // One byte less than there is room for, so that the name always ends.
        let isKnown = gethostname(&bytes, bytes.count - 1) == 0
        return isKnown ? String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    }
}
