import Foundation
import Kernel
import Logging
import Pairing
import Remote
import Sealing
import Signaling
import Transport

/// The session with one paired computer, and everything that keeps it up.
actor DesktopLink {
    /// Servers on the local network where a computer may be looked for at a time.
    private static let localServerLimit = 8

    let desktopID: String
    let connection: PeerConnection
    nonisolated let commands: RemoteCommandClient
    nonisolated let files: FileTransferClient
    /// What the computer tells, to everybody who listens.
    nonisolated let events = Broadcaster<RemoteEvent>(capacity: 256)
    private let network: SignalNetwork
    private var retained: Set<URL> = []
    private var isClosed = false
    private let restarts: Task<Void, Never>

    /// - Throws: What the session's store throws.
    init(
        desktop: PairedDesktop,
        peer: SessionPeer,
        identity: Identity,
        network: SignalNetwork,
        store: any SessionStore,
        transfers: any TransferJournal,
        timing: SessionTiming,
        logger: Logger
    ) async throws {
        desktopID = desktop.pcPeerID
        self.network = network
        let connection = try await PeerConnection(
            identity: identity,
            peer: peer,
            store: store,
            timing: timing,
            logger: logger
        )
        self.connection = connection
        let send: @Sendable ([UInt8], Bool) async throws -> Void = { message, isBulk in
            do {
                try await connection.send(message, isBulk: isBulk)
            } catch SessionError.notPaired {
                throw RemoteError.notPaired
            } catch SessionError.closed {
                throw RemoteError.notConnected
            }
        }
        let commands = RemoteCommandClient(mobileDID: identity.did.text) { try await send($0.canonicalBytes, false) }
        self.commands = commands
        files = FileTransferClient(
            desktop: desktop.pcPeerID,
            journal: transfers,
            invoke: { try await commands.invoke($0, $1, timeout: $2) },
            sendFrame: { try await send($0, true) }
        )
        restarts = Task { [files] in
            for await _ in connection.peerRestarts() {
                await files.desktopRestarted()
                await commands.desktopRestarted()
            }
        }
    }

    /// Whether a command would arrive now; ends with the connection.
    nonisolated func reachability() -> some AsyncSequence<Bool, Never> & Sendable {
        connection.states().prefix { $0 != .closed }.map { if case .connected = $0 { true } else { false } }
    }

    /// Looks for the computer at a server too.
    ///
    /// - Throws: ``SignalError`` for an address that cannot be used.
    func look(at url: URL, kind: LinkKind) async throws {
        guard !isClosed, !retained.contains(url), retained.count < Self.localServerLimit else { return }
        retained.insert(url)
        do {
            let client = try await network.retain(url)
            await connection.add(SignalLinkSource(client: client, peer: desktopID, kind: kind))
        } catch {
            retained.remove(url)
            throw error
        }
    }

    func close() async {
        isClosed = true
        await connection.close()
        await commands.close()
        await files.close()
        await restarts.value
        let urls = retained
        retained = []
        for url in urls { await network.release(url) }
    }
}
