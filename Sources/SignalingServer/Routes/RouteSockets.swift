import Foundation
import Kernel
import Logging
import NIOCore
import Synchronization
import Transport

/// Runs the WebSockets of features, each in a task that this owns. Shared by all ports of a server.
final class RouteSockets: Sendable {
    private struct Accepted: Sendable {
        let connection: WebSocketConnection
        let request: RouteRequest
        let route: WebSocketRoute
    }

    private struct State {
        var accepted: [Accepted] = []
        var open: [ObjectIdentifier: WebSocketConnection] = [:]
        /// Sockets that have a place, those included whose handshake is just being answered.
        var count = 0
        var isFinished = false
    }

    private let relay: Relay
    private let logger: Logger
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init(relay: Relay, logger: Logger) {
        self.relay = relay
        self.logger = logger
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Admits a WebSocket of a feature, or says why not. Called on the channel's event loop.
    func accept(
        _ request: WebSocketHandshake.Request,
        _ channel: any Channel,
        _ route: WebSocketRoute,
        _ parameters: [String: String]
    ) -> WebSocketAcceptHandler.Decision {
        let subprotocol = route.subprotocols.first { request.subprotocols.contains($0) }
        guard subprotocol != nil || route.subprotocols.isEmpty else {
            let names = route.subprotocols.joined(separator: ", ")
            let sentence = "This path speaks \(names). Offer it as the subprotocol.\n"
            return .refuse(response: WebSocketHandshake.response(400, "Bad Request", sentence: sentence))
        }
        let address: AddressRecord
        let client: ClientAddress?
        switch relay.enter(request, channel) {
        case .refused(let response): return .refuse(response: response)
        case .admitted(let record, let source): (address, client) = (record, source)
        }
        // Before there is a connection: one that is given up closes its channel, and the refusal with it.
        guard takePlace() else {
            relay.addresses.close(address)
            return .refuse(response: WebSocketHandshake.response(503, "Service Unavailable"))
        }
        var configuration = route.configuration
        configuration.closeTimeout = relay.limits.closeTimeout
        let (connection, handler) = WebSocketConnection.accept(
            request,
            on: channel,
            subprotocol: subprotocol,
            clientAddress: client?.text,
            configuration: configuration,
            spend: { [relay] count in
                let wait = address.spend(count, now: relay.time.ticks)
                return wait > 0 ? .nanoseconds(Int64(min(max(wait, 10_000_000), 1_000_000_000))) : nil
            }
        )
        let accepted = Accepted(
            connection: connection,
            request: RouteRequest(
                method: "GET",
                target: request.path,
                parameters: parameters,
                host: request.host,
                clientAddress: client?.text,
                fields: request.head.fields
            ),
            route: route
        )
        state.withLock { state in
            state.open[ObjectIdentifier(channel)] = connection
            state.accepted.append(accepted)
        }
        channel.closeFuture.whenComplete { [self] _ in
            relay.addresses.close(address)
            state.withLock { state in
                state.open[ObjectIdentifier(channel)] = nil
                state.count -= 1
            }
        }
        // It has arrived: it need not give way to sockets that have not said who they are.
        relay.loopsByEventLoop[ObjectIdentifier(channel.eventLoop)]?.settle(channel)
        wakeUp.yield()
        return .accept(handler, subprotocol: subprotocol)
    }

    /// Features have the places that the relay's sockets leave, and none of those that are kept free there.
    private func takePlace() -> Bool {
        let others = relay.counters.connectionsOpen.load(ordering: .relaxed)
        let places = relay.limits.connections - relay.limits.reservedConnections
        return state.withLock { state in
            guard !state.isFinished, others + state.count < places else { return false }
            state.count += 1
            return true
        }
    }

    /// Takes no more, and begins to close what is open with 1001.
    func finish() {
        state.withLock { $0.isFinished = true }
        closeAll()
        wakeUp.finish()
    }

    @discardableResult
    private func closeAll() -> [WebSocketConnection] {
        let open = state.withLock { Array($0.open.values) }
        for connection in open { connection.beginClose(.goingAway, reason: "Server shutting down") }
        return open
    }

    /// Serves until ``finish()``; returns when every handler has.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in wakeUps { serveAccepted(&group) }
            serveAccepted(&group)
            // Handlers see their sockets end before they are cancelled; each socket closes within the limit for that.
            for connection in closeAll() { await connection.close(.goingAway) }
            group.cancelAll()
        }
    }

    private func serveAccepted(_ group: inout DiscardingTaskGroup) {
        let accepted = state.withLock { state in
            defer { state.accepted = [] }
            return state.accepted
        }
        for socket in accepted { group.addTask { await self.serve(socket) } }
    }

    private func serve(_ socket: Accepted) async {
        do {
            try await socket.route.handler(socket.connection, socket.request)
            await socket.connection.close(.normal)
        } catch is CancellationError {
            await socket.connection.close(.goingAway)
        } catch WebSocketError.closed {
            // The other end is gone: nothing went wrong here.
            await socket.connection.close(.normal)
        } catch {
            logger.error(
                "a feature's socket failed",
                metadata: ["path": "\(socket.route.path)", "error": "\(error)"]
            )
            await socket.connection.close(.internalError)
        }
    }
}
