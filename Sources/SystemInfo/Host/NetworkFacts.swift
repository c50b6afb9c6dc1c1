/// One network interface.
package struct NetworkFacts: Hashable, Sendable {
    package var name: String
    package var ipv4: String?
    package var ipv6: String?
    package var bytesReceived: UInt64
    package var bytesSent: UInt64
    package var isUp: Bool
    /// Loopback reaches nobody else.
    package var isLoopback: Bool

    package init(
        name: String,
        ipv4: String?,
        ipv6: String?,
        bytesReceived: UInt64,
        bytesSent: UInt64,
        isUp: Bool,
        isLoopback: Bool
    ) {
        self.name = name
        self.ipv4 = ipv4
        self.ipv6 = ipv6
        self.bytesReceived = bytesReceived
        self.bytesSent = bytesSent
        self.isUp = isUp
        self.isLoopback = isLoopback
    }
}
