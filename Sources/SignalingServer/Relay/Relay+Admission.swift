import Foundation
import Kernel
import Logging
import NIOCore
import RouteServer
import Synchronization
import Transport

/// Admission: of connections, then requests, then WebSockets.
extension Relay {
    /// Sockets beyond those that have spoken: handshakes under way and HTTP requests.
    private static let handshakes = 64
    /// The number of such sockets for one address.
    private static let handshakesPerAddress = 16

    /// Open sockets of every kind that fit into `limits` and the process's descriptors.
    static func maximumSockets(_ limits: SignalingLimits) -> Int {
        min(limits.connections + handshakes, max(handshakes, DescriptorLimit.current - DescriptorLimit.kept))
    }

    /// Takes a new connection before anything is read from it. Where there is no room, the oldest that has not said who it is
    /// gives way.
    func admit(_ channel: any Channel) -> Bool {
        guard let loop = loopsByEventLoop[ObjectIdentifier(channel.eventLoop)] else { return false }
        let source = NetworkAddress(channel.remoteAddress)
        loop.beginEvent()
        // A proxy speaks for many, and so may one on this machine that was not named.
        let isMetered = source.map { !$0.isLoopback && !isTrustedProxy($0) } ?? false
        let limit = isMetered ? limits.connectionsPerAddress + Self.handshakesPerAddress : .max
        guard let record = addresses.enter(source, limit: limit, now: loop.nanoseconds) else {
            counters.connectionsRefused.add(1, ordering: .relaxed)
            return false
        }
        let open = counters.socketsOpen.add(1, ordering: .relaxed).newValue
        loop.arrive(channel)
        channel.closeFuture.whenComplete { [self] _ in
            counters.socketsOpen.subtract(1, ordering: .relaxed)
            addresses.leave(record)
            loop.arrived(channel)
        }
        guard open > maximumSockets || loop.arrivingCount > limits.arrivingConnections / loops.count else {
            return true
        }
        counters.connectionsRefused.add(1, ordering: .relaxed)
        loop.takeOldestArrival()?.close(promise: nil)
        return true
    }

    func isTrustedProxy(_ address: NetworkAddress) -> Bool {
        configuration.trustedProxies.contains { $0.contains(address) }
    }

    /// Whether a connection begins with a header of the PROXY protocol.
    func sendsProxyHeader(_ channel: any Channel) -> Bool {
        guard configuration.readsProxyProtocol, let source = NetworkAddress(channel.remoteAddress) else { return false }
        return isTrustedProxy(source)
    }

    /// Whether a WebSocket may come in.
    enum Entry {
        /// With the HTTP response that says why.
        case refused(String)
        /// Counted in at the client's address; to be counted out at the end of the socket.
        case admitted(AddressRecord, client: NetworkAddress?)
    }

    /// Admits a WebSocket to the relay, or says why not.
    func accept(_ request: WebSocketHandshake.Request, _ channel: any Channel) -> WebSocketAcceptHandler.Decision {
        guard let loop = loopsByEventLoop[ObjectIdentifier(channel.eventLoop)] else {
            return .refuse(response: WebSocketHandshake.response(503, "Service Unavailable"))
        }
        switch enter(request, channel) {
        case .refused(let response): return .refuse(response: response)
        case .admitted(let record, _):
            let number = nextNumber.add(1, ordering: .relaxed).newValue
            return .accept(
                RelayConnection(
                    relay: self,
                    loop: loop,
                    number: number,
                    host: request.host,
                    certificateHash: request.certificateHash,
                    address: record
                )
            )
        }
    }

    /// Checks any WebSocket of this server, the relay's or a feature's: its host and origin, and its address's limits.
    func enter(_ request: WebSocketHandshake.Request, _ channel: any Channel) -> Entry {
        guard let loop = loopsByEventLoop[ObjectIdentifier(channel.eventLoop)] else {
            return .refused(WebSocketHandshake.response(503, "Service Unavailable"))
        }
        loop.beginEvent()
        let peer = NetworkAddress(channel.remoteAddress)
        let client = client(of: request, behind: peer)
        let claims = RequestClaims(request)
        if let refusal = refusal(claims, local: channel.localAddress, peer: peer, now: loop.nanoseconds) {
            return .refused(requestGuard.response(refusal))
        }
        guard let record = addresses.open(client, now: loop.nanoseconds) else {
            return .refused(WebSocketHandshake.response(429, "Too Many Requests"))
        }
        return .admitted(record, client: client)
    }

    /// The checks that WebSockets of features have to pass, and the calls by which they are counted here.
    var routeAdmission: RouteAdmission {
        RouteAdmission(
            closeTimeout: limits.closeTimeout,
            // Features have the places that the relay's sockets leave, and none of those that are kept free there.
            hasPlace: { [self] count in
                let others = counters.connectionsOpen.load(ordering: .relaxed)
                return others + count < limits.connections - limits.reservedConnections
            },
            enter: { [self] request, channel in
                switch enter(request, channel) {
                case .refused(let response): return .refused(response)
                case .admitted(let address, let client):
                    return .admitted(
                        .init(
                            clientAddress: client?.text,
                            spend: { [self] count in
                                let wait = address.spend(count, now: time.ticks)
                                return wait > 0 ? .nanoseconds(Int64(min(max(wait, 10_000_000), 1_000_000_000))) : nil
                            },
                            // It has arrived: it need not give way to sockets that have not said who they are.
                            settled: { [self] in loopsByEventLoop[ObjectIdentifier(channel.eventLoop)]?.arrived(channel)
                            },
                            left: { [self] in addresses.close(address) }
                        )
                    )
                }
            }
        )
    }

    /// Why a request is not answered; nil when it is.
    func refusal(
        _ claims: RequestClaims,
        local: SocketAddress?,
        peer: NetworkAddress?,
        now: UInt64
    ) -> RequestGuard.Refusal? {
        let connection = RequestConnection(local, isProxied: peer.map(isTrustedProxy) ?? false, now: now)
        guard let refusal = requestGuard.refusal(claims, on: connection) else { return nil }
        counters.requestsRefused.add(1, ordering: .relaxed)
        // The first time it is news to the operator; a page that tries for hours is not.
        if hasToldRefusal.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged {
            logger.notice("request refused", metadata: ["reason": "\(requestGuard.sentence(refusal).dropLast())"])
        } else {
            logger.debug("request refused", metadata: ["status": "\(refusal.status)"])
        }
        return refusal
    }

    /// The client's address: what a trusted proxy says, else the connection's own.
    private func client(of request: WebSocketHandshake.Request, behind peer: NetworkAddress?) -> NetworkAddress? {
        client(behind: peer, source: request.source) { request.head.values("x-forwarded-for") }
    }

    /// - Parameters:
    ///   - source: The client's address in a header of the PROXY protocol.
    ///   - forwarded: The values of `X-Forwarded-For`, in the order they came.
    func client(
        behind peer: NetworkAddress?,
        source: SocketAddress?,
        forwarded: () -> [String]
    ) -> NetworkAddress? {
        guard let peer, isTrustedProxy(peer) else { return peer }
        if let source = NetworkAddress(source) { return source }
        guard !configuration.readsProxyProtocol else { return peer }
        // Each proxy appends the address it saw; anything before the last one we do not trust is the client's own invention.
        let hops = forwarded().joined(separator: ",").split(separator: ",")
        for hop in hops.reversed() {
            guard let address = NetworkAddress(text: Self.withoutPort(hop.trimmingCharacters(in: .whitespaces))) else {
                return peer
            }
            if !isTrustedProxy(address) { return address }
        }
        return peer
    }

    /// Some proxies write `192.0.2.7:51234` and `[2001:db8::1]:51234`.
    private static func withoutPort(_ text: String) -> String {
        if NetworkAddress(text: text) != nil { return text }
        return RequestAuthority(text)?.host ?? text
    }
}
