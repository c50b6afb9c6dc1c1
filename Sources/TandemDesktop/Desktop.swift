import Capabilities
package import CommandServer
import Commands
package import Control
import Foundation
import Kernel
import Logging
package import Pairing
package import Rights
package import Sealing
import ServiceLifecycle
import Signaling
import SignalingServer
import Storage
package import Transport

/// A computer: its identity, its server for the local network, its paired phones, a session with each that comes, and the features that
/// phones operate it with. Builds the parts and owns their lifetimes; what they do is theirs.
package struct Desktop: Service {
    package let pairing: PairingHost
    package let device: OwnDevice
    let configuration: DesktopConfiguration
    let server: any OwnServer
    let network: DesktopNetwork
    let sessions: PeerSessions
    let listener: SessionListener
    let features: CommandFeatures
    let phones: PhoneAdministration
    let clearDoor: ClearDoor
    let audit: SQLiteAuditLog
    let door: SessionDoor
    let router: CommandRouter
    let clearHands: ClearDoor.Hands
    let unmetered: UnmeteredKeys
    let tasks = OwnedTasks()
    let logger: Logger
    let state: RoleState
    /// The ids of phones whose connection came, went or changed its way.
    let pathChanges = Broadcaster<String>(capacity: 16)

    /// The requests that commands on this computer's state folder can make.
    package var control: ControlTable {
        ControlTable(DesktopControl(desktop: self).routes + features.set.controlRoutes)
    }

    /// Reads the certificate and its key again.
    ///
    /// - Throws: `TLSFilesError`; the certificate in use stays then.
    package func reloadCertificates() throws { try server.reloadCertificates() }

    /// The port of the server, once it is bound.
    package func boundPort() async throws -> Int { try await server.boundPort() }

    /// How a phone in the same process finds this computer, once its server is bound; nil where it listens with a certificate, which is for
    /// its name and not for this machine's address.
    package func serviceOnThisMachine() async throws -> DiscoveredService? {
        guard configuration.server.tls == nil, let port = UInt16(exactly: try await boundPort()) else { return nil }
        return DiscoveredService(
            try configuration.advertisement(of: device, port: port),
            addresses: [DesktopAddresses.host(configuration.server)]
        )
    }

    /// Runs until shutdown or cancellation, or until the server fails.
    package func run() async throws {
        // Before any phone can come: the first session is served however soon it is there.
        let newConnections = listener.newConnections()
        await clearDoor.open(at: network.clearServers)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask { await pairing.run() }
            group.addTask { await serve(newConnections) }
            group.addTask { await followPhones() }
            group.addTask { await endRights() }
            let clearPhones = phones.records.store.list().map { $0.filter { !$0.isEndToEnd }.map(\.did) }
            group.addTask { await clearDoor.run(phones: clearPhones, hands: clearHands) }
            group.addTask { await network.followAddresses() }
            group.addTask {
                for await _ in SuspensionWatch.resumes() {
                    _ = await phones.endWhatIsOver()
                    await network.resume()
                }
            }
            group.addTask {
                await features.set.run()
                try? await gracefulShutdown()  // features without work in the background end nothing
            }
            try await network.connect(to: server, taking: listener)
            group.addTask {
                await network.advertise(server)
                try? await gracefulShutdown()
            }
            // The first part that ends, at shutdown or because it failed, ends the rest.
            defer { group.cancelAll() }
            try await group.next()
        }
        // Running commands first: the longest is not waited for.
        await router.cancelAll()
        await tasks.end()
        await close()
        await sessions.close()
        await listener.close()
        await audit.close()
        await network.disconnect()
    }

    /// Ends the features, and what frames of theirs are under way.
    private func close() async {
        let (time, frames) = (configuration.time, door.frames)
        async let areFramesDone = endsWithin(FeatureSet.closeLimit, on: time) { await frames.close() }
        await features.set.close(on: time, telling: logger)
        if await !areFramesDone { logger.error("frames did not end in time") }
    }

    private func serve(_ newConnections: AsyncStream<PeerConnection>) async {
        for await connection in newConnections {
            await sessions.add(connection)
            tasks.add { await door.serve(connection) }
            tasks.add { await followState(of: connection) }
        }
    }

    private func followPhones() async {
        for await list in phones.records.store.list() {
            unmetered.set(list.map(\.did))
            await phones.applyChanges()
        }
    }

    /// Ends what is over as soon as it is. Looks again when a record or a request changes, and when the next end comes.
    private func endRights() async {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup { group in
            group.addTask { for await _ in phones.records.store.list() { signal.yield() } }
            group.addTask { for await _ in phones.askChanges.subscribe() { signal.yield() } }
            var waiting: Task<Void, Never>?
            for await _ in signals {
                waiting?.cancel()
                let next = await phones.endWhatIsOver()
                waiting = next.map { next in
                    Task { [time = configuration.time] in if await time.pause(until: next) { signal.yield() } }
                }
            }
            waiting?.cancel()
            group.cancelAll()
        }
    }

    func followState(of connection: PeerConnection) async {
        for await state in connection.states() {
            pathChanges.send(connection.peer.did.text)
            guard case .connected = state else { continue }
            await network.tell(connection)
            do {
                let phone = try await pairing.confirmed(by: connection.peer.did)
                // Forgotten while it shook hands: the end of its pairing found no session to end.
                guard phone?.agreementKey != connection.peer.agreementKey else { continue }
                await phones.endSession(with: connection.peer)
            } catch {
                logger.error("pairing not confirmed", metadata: ["reason": "\(error)"])
            }
        }
    }

    package func feature<Feature: CommandFeature>(_ type: Feature.Type) -> Feature? {
        features.set.first(type)
    }

    /// Gives a phone rights, as the owner does.
    @discardableResult
    package func allow(_ rights: Set<Right>, to phone: PairedPhone) async throws -> PairedPhone {
        try await phones.allow(rights, to: phone)
    }

    /// Takes rights back, and with them what they kept going.
    package func deny(_ rights: Set<Right>, to phone: PairedPhone) async throws {
        _ = try await phones.deny(rights, to: phone, keepsShells: false)
    }

    package func forget(_ phone: DID) async throws { try await phones.forget(phone) }

    package func pairedPhones() -> [PairedPhone] { phones.records.all() }

    /// How a phone is connected now; nil while it is not.
    package func path(to phone: DID) async -> LinkKind? {
        if let path = await sessions.path(to: phone) { return path }
        return await clearDoor.path(to: phone)
    }
}
