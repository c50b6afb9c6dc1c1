package import Transport

/// The names of a bridge: those that no stranger's page can have. Addresses, which no name server gives out, and names of the machine, the
/// local network and its VPN; others only if the owner said so. At any port, which may be forwarded.
package struct LocalNames: HostPolicy {
    private let names: Set<String>

    /// - Parameter names: Further names, in lower case.
    package init(_ names: Set<String> = []) {
        self.names = names
    }

    package func knows(_ host: RequestAuthority, on connection: RequestConnection) -> Bool {
        let name = host.host
        return host.address != nil || name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".local")
            || name.hasSuffix(".ts.net") || names.contains(name)
    }
}
