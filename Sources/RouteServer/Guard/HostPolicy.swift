package import NIOCore
package import Transport

/// The names under which one server may be asked. A request for another host was meant for another server, or a web page rebound its own
/// name to this address, or a stranger passes on a proof that was made for the stranger's host.
package protocol HostPolicy: Sendable {
    func knows(_ host: RequestAuthority, on connection: RequestConnection) -> Bool
}

/// The connection that a request came on, as far as the names of the server depend on it.
package struct RequestConnection: Sendable {
    /// The address of this machine that it came to; nil for a Unix socket.
    package let local: NetworkAddress?
    /// The port there.
    package let port: Int?
    /// Whether a reverse proxy passed the request on; then `localhost` is the proxy's word, not the client's.
    package let isProxied: Bool
    /// The `ticks` of the server's time source.
    package let now: UInt64

    package init(local: NetworkAddress?, port: Int?, isProxied: Bool = false, now: UInt64) {
        self.local = local
        self.port = port
        self.isProxied = isProxied
        self.now = now
    }

    /// - Parameter local: This machine's end.
    package init(_ local: SocketAddress?, isProxied: Bool = false, now: UInt64) {
        self.init(local: NetworkAddress(local), port: local?.port, isProxied: isProxied, now: now)
    }
}
