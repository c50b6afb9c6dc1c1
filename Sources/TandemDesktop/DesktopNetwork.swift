import Foundation
import Kernel
import Logging
import Pairing
import Sealing
import ServiceLifecycle
import Signaling
import SignalingServer
import Transport

/// Where this computer is met: its own server, the hub, and what connected phones are told of its addresses.
actor DesktopNetwork {
    /// The time between two looks at this computer's addresses.
    private static let addressInterval = Duration.seconds(30)
    /// How long a phone that acknowledges nothing is waited for: once it connects again it is told anyway.
    private static let tellingLimit = Duration.seconds(10)

    let configuration: DesktopConfiguration
    let own: OwnDevice
    nonisolated let addresses: DesktopAddresses
    nonisolated let local: any MaintainedSignalClient
    nonisolated let hub: (any MaintainedSignalClient)?
    let access: SignalAccess
    private let sessions: PeerSessions
    let logger: Logger
    /// The addresses that connected phones know.
    private var told: DeviceAddresses?

    init(_ base: DesktopBase, at serving: DesktopServing) {
        configuration = base.configuration
        own = base.own
        sessions = base.reach.sessions
        logger = base.logger
        addresses = serving.addresses
        let access = configuration.signaling ?? .webSockets(logger: logger)
        self.access = access
        local = access.makeClient(own.identity) { [dialer = serving.dialer] in try await dialer.dial($0) }
        hub = configuration.hubURL.map { [keys = own.identity] _ in access.makeClient(keys, nil) }
    }

    nonisolated var clients: [any MaintainedSignalClient] { [local, hub].compactMap(\.self) }

    /// Registers at the own server and at the hub, and takes sessions from both.
    func connect(to server: any OwnServer, taking listener: SessionListener) async throws {
        let bound = try await server.boundPort()
        let device = SignalDevice(
            category: .desktop,
            name: configuration.device.name,
            platform: configuration.device.platform.rawValue,
            version: configuration.version
        )
        await listener.add(SignalLinkAcceptor(client: local, kind: .lan).links())
        let url = DesktopAddresses.loopback(configuration.server, port: bound)
        try await local.maintain(url, as: own.deviceID, device: device)
        if let hub, let url = configuration.hubURL {
            await listener.add(SignalLinkAcceptor(client: hub, kind: .relay).links())
            try await hub.maintain(url, as: own.deviceID, device: device)
        }
        // A phone that reads a code at once shall find this computer behind the address in it.
        await waitUntilRegistered()
        addresses.port.set(bound)
    }

    /// Waits for the own server to know this computer, which takes milliseconds.
    private func waitUntilRegistered() async {
        let limit = Duration.seconds(5)
        do {
            try await withTimeout(limit, on: configuration.time, throwing: SignalError.timedOut(after: limit)) {
                [local] in
                for await state in local.states() where state.presence != nil { return }
            }
        } catch is CancellationError {
            // It ends before it was there.
        } catch {
            logger.error("this computer did not reach its own server", metadata: ["reason": "\(error)"])
        }
    }

    /// The page for phones that the hub says it serves. A registration that is under way is waited for, but not a hub that is away: a code
    /// without a link is better than none.
    func hubsPhonePage() async -> String? {
        guard let hub else { return nil }
        let limit = Duration.seconds(2)
        do {
            let timeout = SignalError.timedOut(after: limit)
            return try await withTimeout(limit, on: configuration.time, throwing: timeout) { () -> String? in
                for await state in hub.states() {
                    switch state {
                    case .connecting, .connected: continue
                    default: return state.presence?.phonePage
                    }
                }
                return nil
            }
        } catch {
            // The hub takes long to answer, or the code is not wanted any more.
            return nil
        }
    }

    /// Lets others on the network find this computer, until shutdown.
    func advertise(_ server: any OwnServer) async {
        guard let advertiser = configuration.advertiser else { return }
        do {
            guard let port = UInt16(exactly: try await server.boundPort()) else { return }
            await advertiser.advertise(try configuration.advertisement(of: own, port: port))
        } catch {
            // A desktop that cannot be found on the network still works.
            logger.notice("not advertised on the network", metadata: ["reason": "\(error)"])
        }
    }

    /// The machine slept: every way to every phone is looked at at once.
    func resume() async {
        for client in clients { client.resume() }
        await sessions.resume()
    }

    /// A phone that came another way learns where this computer is on its own network, which of its ways is a hub, and what it is called.
    func tell(_ connection: PeerConnection) async {
        do {
            let messages = [await addresses.told().message, OwnName(own.info.name).message].map(\.canonicalBytes)
            try await withTimeout(Self.tellingLimit, on: configuration.time, throwing: SessionError.linkDown) {
                for message in messages { try await connection.send(message) }
            }
        } catch {
            // The session is over, or full for too long.
            logger.debug("addresses not told", metadata: ["reason": "\(error)"])
        }
    }

    /// Tells connected phones of new addresses. The system's list is looked at when it changes, and beside the keepalives.
    func followAddresses() async {
        told = await addresses.told()
        await withDiscardingTaskGroup { group in
            if let network = configuration.network {
                group.addTask { for await _ in network.changes() { await self.tellNewAddresses() } }
            }
            while await configuration.time.pause(for: Self.addressInterval) { await tellNewAddresses() }
            group.cancelAll()  // the end: the sleep was cancelled
        }
    }

    private func tellNewAddresses() async {
        let now = await addresses.told()
        guard now != told else { return }
        told = now
        // Connections over the old address are silent now: the news take the way that is left.
        await resume()
        let connections = await sessions.all()
        // Side by side: a phone that acknowledges nothing holds up no other.
        await withDiscardingTaskGroup { group in
            for connection in connections {
                if case .connected = connection.state { group.addTask { await self.tell(connection) } }
            }
        }
    }

    nonisolated func states() -> [(name: String, state: SignalClientState, problem: SignalProblem?)] {
        [("local", local.state, local.problem)] + (hub.map { [("hub", $0.state, $0.problem)] } ?? [])
    }

    func disconnect() async {
        for client in clients { await client.disconnect() }
    }
}
