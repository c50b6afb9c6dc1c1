/// One network interface.
public struct NetworkFacts: Hashable, Sendable {
    /// The interface, for example `eth0`.
    public var name: String
    /// Its first IPv4 address in numbers; nil without one.
    public var ipv4: String?
    /// Its first IPv6 address in numbers; nil without one.
    public var ipv6: String?
    /// Counted by the system since the interface was made.
    public var bytesReceived: UInt64
    /// Counted by the system since the interface was made.
    public var bytesSent: UInt64
    /// Whether it is turned on and has a carrier. True from programs that do not say.
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
