import CommandClient
import Commands
import Foundation
import Kernel
import Logging
import Pairing
import Sealing
import Signaling
import Transport

/// The session with one paired computer, and everything that keeps it up.
actor ComputerLink {
    let desktopID: String
    let connection: PeerConnection
    nonisolated let commands: RemoteCommandClient
    nonisolated let parts: ComputerParts
    /// Events that the computer tells, for everything that listens.
    nonisolated let events = Broadcaster<RemoteEvent>(capacity: 256)
    nonisolated let ways: ComputerWays
    private let callTime: any TimeSource
    private let restarts: Task<Void, Never>

    /// - Throws: What the session's store throws.
    init(
        desktop: PairedDesktop,
        peer: SessionPeer,
        identity: Identity,
        network: SignalNetwork,
        store: any SessionStore,
        features: PeerFeatures,
        queue: OfflineCommandQueue,
        timing: SessionTiming,
        time: any TimeSource = .system,
        callTime: any TimeSource = .awake,
        logger: Logger
    ) async throws {
        desktopID = desktop.pcPeerID
        self.callTime = callTime
        let connection = try await PeerConnection(
            identity: identity,
            peer: peer,
            store: store,
            timing: timing,
            time: time,
            logger: logger
        )
        self.connection = connection
        let ways = ComputerWays(
            desktopID: desktop.pcPeerID,
            name: desktop.deviceName,
            connection: connection,
            network: network,
            time: time,
            logger: logger
        )
        self.ways = ways
        let send: @Sendable ([UInt8], Bool) async throws -> Void = { message, isBulk in
            ways.noteActivity()
            do {
                try await connection.send(message, isBulk: isBulk)
            } catch SessionError.notPaired {
                throw RemoteError.notPaired
            } catch SessionError.closed {
                throw RemoteError.notConnected
            }
        }
        let commands = RemoteCommandClient(
            mobileDID: identity.did.text,
            time: callTime,
            whileWaiting: { connection.awaitAnswers($0) },
            explain: { features.explain($0) },
            send: { try await send($0.canonicalBytes, false) }
        )
        self.commands = commands
        var context = ComputerContext(
            id: desktop.pcPeerID,
            call: { method, params, timeout, isRepeatable in
                try await ways.reach(within: timeout, throwing: RemoteError.notConnected)
                return try await commands.invoke(method, params, timeout: timeout, isRepeatable: isRepeatable)
            },
            sendFrame: { try await send($0, true) },
            enqueue: { [computer = desktop.pcPeerID, phone = identity.did.text] method, params, command, joining in
                try await queue.enqueue(method, params, for: computer, mobileDID: phone, id: command, joining: joining)
            }
        )
        context.direct = { await ways.direct() }
        let parts = features.parts(for: context)
        self.parts = parts
        // From here on no restart is missed, even when the task begins later.
        let peerRestarts = connection.peerRestarts()
        restarts = Task {
            for await _ in peerRestarts {
                await parts.restarted()
                await commands.desktopRestarted()
            }
        }
    }

    /// Its computer was forgotten, or refused this phone, which no session recovers from: another link is made when it is paired again.
    nonisolated var isOver: Bool {
        switch connection.state {
        case .closed, .refused: true
        case .notConnected, .connecting, .connected: false
        }
    }

    /// Whether a command would arrive now; ends with the connection.
    nonisolated func reachability() -> some AsyncSequence<Bool, Never> & Sendable {
        connection.states().prefix { $0 != .closed }.map { if case .connected = $0 { true } else { false } }
    }

    /// Calls a method of the computer once it is reached.
    ///
    /// - Parameter timeout: For both together.
    func invoke(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        let began = callTime.now
        try await ways.reach(within: timeout, throwing: RemoteError.notConnected)
        return try await commands.invoke(method, params, timeout: max(.seconds(1), timeout - (callTime.now - began)))
    }

    /// Follows the session's state until it is closed.
    func followState() async {
        for await state in connection.states() {
            await ways.changed(to: state)
            if case .connected = state { await parts.reached() } else { await parts.lost() }
        }
    }

    /// Hands each message to what takes its kind, until the connection is closed.
    ///
    /// - Parameter other: Takes what belongs to no feature.
    func readMessages(logger: Logger, other: (JSONValue) async -> Void) async {
        for await message in connection.messages() {
            if let part = parts.part(forFrame: message.bytes) {
                await part.receive(frame: message.bytes)
                continue
            }
            guard let envelope = try? JSONValue(parsing: message.bytes) else {
                logger.notice("message dropped: not JSON", metadata: ["desktop": "\(desktopID)"])
                continue
            }
            if await commands.receive(envelope) { continue }
            if let event = RemoteEvent(envelope: envelope) {
                await parts.receive(event, number: message.durable)
                events.send(event)
                continue
            }
            await other(envelope)
        }
    }

    func close() async {
        await connection.close()
        events.finish()
        await commands.close()
        await parts.close()
        await restarts.value
        await ways.close()
    }
}
