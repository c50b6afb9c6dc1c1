package import Kernel
package import Transport

/// A request as it arrived: what proofs cover and limits are kept under.
package struct AccountCall: Sendable {
    /// The whole body.
    let json: JSONValue
    /// The authority that was asked for, as the server's guard accepted it.
    let host: String
    /// The text that limits are kept under: an IPv4 address, or the /64 of an IPv6 host; empty where there is none.
    let address: String
    /// Whether the client is on this machine, which counts as the operator's own and is not limited, but for guesses.
    let isLocal: Bool

    package init(_ json: JSONValue, of request: RouteRequest) {
        let client = request.clientAddress.flatMap { NetworkAddress(text: $0) }
        self.json = json
        host = request.host
        address = client?.limitKey ?? ""
        isLocal = client?.isLoopback ?? false
    }
}
