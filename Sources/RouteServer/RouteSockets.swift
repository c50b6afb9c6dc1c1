import Foundation
import Kernel
package import Logging
package import NIOCore
import Synchronization
package import Transport

/// A server's rules for WebSockets of features, asked before they are accepted.
package struct RouteAdmission: Sendable {
    /// A WebSocket that may come in. It is told of once when it has a place, and of its end in any case.
    package struct Admitted: Sendable {
        /// In numbers; nil where there is none.
        package let clientAddress: String?
        /// Called after each read with the number of messages: how long nothing is to be read then; nil for no wait.
        package let spend: @Sendable (Int) -> TimeAmount?
        /// Told on the channel's event loop once it has its place.
        package let settled: @Sendable () -> Void
        /// Told when it has found no place, and when it is closed.
        package let left: @Sendable () -> Void

        package init(
            clientAddress: String?,
            spend: @escaping @Sendable (Int) -> TimeAmount? = { _ in nil },
            settled: @escaping @Sendable () -> Void = {},
            left: @escaping @Sendable () -> Void = {}
        ) {
            self.clientAddress = clientAddress
            self.spend = spend
            self.settled = settled
            self.left = left
        }
    }

    package enum Entry: Sendable {
        /// With the HTTP response that says why.
        case refused(String)
        case admitted(Admitted)
    }

    /// Called on the channel's event loop.
    package let enter: @Sendable (WebSocketHandshake.Request, any Channel) -> Entry
    /// Whether there is a place beside so many sockets of features.
    package let hasPlace: @Sendable (_ count: Int) -> Bool
    package let closeTimeout: Duration

    package init(
        closeTimeout: Duration,
        hasPlace: @escaping @Sendable (_ count: Int) -> Bool,
        enter: @escaping @Sendable (WebSocketHandshake.Request, any Channel) -> Entry
    ) {
        self.enter = enter
        self.hasPlace = hasPlace
        self.closeTimeout = closeTimeout
    }
}

/// Runs the WebSockets of features, each in a task that this owns. Shared by all ports of a server.
package final class RouteSockets: Sendable {
    private final class Accepted: Sendable {
        let connection: WebSocketConnection
        let route: WebSocketRoute
        /// Until the connection is let in.
        private let request: Mutex<RouteRequest?>

        init(connection: WebSocketConnection, request: RouteRequest, route: WebSocketRoute) {
            self.connection = connection
            self.route = route
            self.request = Mutex(request)
        }

        /// Lets the connection in. In a function of its own, with whose end the request goes.
        ///
        /// - Returns: What is left to do; nil for nothing.
        func enter() async throws -> WebSocketRoute.Rest? {
            guard let request = request.withLock({ $0.take() }) else { return nil }
            return try await route.enter(connection, request)
        }
    }

    private struct State {
        var accepted: [Accepted] = []
        var open: [ObjectIdentifier: WebSocketConnection] = [:]
        /// Sockets that have a place, those included whose handshake is just being answered.
        var count = 0
        var isFinished = false
    }

    private let admission: RouteAdmission
    private let logger: Logger
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    package init(_ admission: RouteAdmission, logger: Logger) {
        self.admission = admission
        self.logger = logger
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Admits a WebSocket of a feature, or says why not. Called on the channel's event loop.
    package func accept(
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
        let admitted: RouteAdmission.Admitted
        switch admission.enter(request, channel) {
        case .refused(let response): return .refuse(response: response)
        case .admitted(let entered): admitted = entered
        }
        // Before there is a connection: one that is given up closes its channel, and the refusal with it.
        guard takePlace() else {
            admitted.left()
            return .refuse(response: WebSocketHandshake.response(503, "Service Unavailable"))
        }
        var configuration = route.configuration
        configuration.closeTimeout = admission.closeTimeout
        let (connection, handler) = WebSocketConnection.accept(
            request,
            on: channel,
            subprotocol: subprotocol,
            clientAddress: admitted.clientAddress,
            configuration: configuration,
            spend: admitted.spend
        )
        let accepted = Accepted(
            connection: connection,
            request: RouteRequest(
                method: "GET",
                target: request.path,
                parameters: parameters,
                host: request.host,
                clientAddress: admitted.clientAddress,
                fields: request.head.fields
            ),
            route: route
        )
        state.withLock { state in
            state.open[ObjectIdentifier(channel)] = connection
            state.accepted.append(accepted)
        }
        channel.closeFuture.whenComplete { [self] _ in
            admitted.left()
            state.withLock { state in
                state.open[ObjectIdentifier(channel)] = nil
                state.count -= 1
            }
        }
        admitted.settled()
        wakeUp.yield()
        return .accept(handler, subprotocol: subprotocol)
    }

    private func takePlace() -> Bool {
        state.withLock { state in
            guard !state.isFinished, admission.hasPlace(state.count) else { return false }
            state.count += 1
            return true
        }
    }

    /// Takes no more, and begins to close what is open with 1001.
    package func finish() {
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
    package func run() async {
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
            if let rest = try await socket.enter() { try await rest() }
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
