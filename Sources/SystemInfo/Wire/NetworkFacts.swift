/// One network interface.
public struct NetworkFacts: Hashable, Sendable {
    public var name: String
    public var ipv4: String?
    public var ipv6: String?
    public var bytesReceived: UInt64
    public var bytesSent: UInt64
    public var isUp: Bool
    /// Loopback reaches no other machine.
    public var isLoopback: Bool

    public init(
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
