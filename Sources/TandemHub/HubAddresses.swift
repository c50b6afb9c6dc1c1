import NIOCore
import SignalingServer
import Transport

/// The URLs under which a hub is reached: those that a person can give to a computer.
enum HubAddresses {
    /// The names the operator gave come first, then those of the certificate, then this machine's addresses.
    static func urls(_ configuration: SignalingServerConfiguration, port: Int, certificateNames: [String]) -> [String] {
        let scheme = configuration.tls == nil ? "ws" : "wss"
        let names = configuration.names + certificateNames.filter { !$0.hasPrefix("*.") }
        let addresses =
            isAny(configuration.address) ? machineAddresses(like: configuration.address) : [configuration.address]
        var seen: Set<String> = []
        return (names + addresses).map { url(scheme, host: $0, port: port) }.filter { seen.insert($0).inserted }
    }

    /// - Parameter host: A name or address. One that brings its port, as behind a forwarding, keeps it.
    private static func url(_ scheme: String, host: String, port: Int) -> String {
        let isIPv6 = host.count { $0 == ":" } > 1 && !host.hasPrefix("[")
        if isIPv6 { return "\(scheme)://[\(host)]:\(port)" }
        let hasPort = host.hasPrefix("[") ? host.contains("]:") : host.contains(":")
        // No client goes to ws:// out on the internet: a name from there means that a proxy ends TLS for this hub.
        let isBehindProxy = scheme == "ws" && !LocalAddresses.isLocal(String(host.prefix { $0 != ":" }))
        if isBehindProxy, !host.hasPrefix("[") { return "wss://\(host)" }
        return hasPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    private static func isAny(_ address: String) -> Bool { ["0.0.0.0", "::", "*"].contains(address) }

    /// The addresses of every interface; loopback only where there is nothing else.
    private static func machineAddresses(like listening: String) -> [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        let addresses = devices.compactMap { device -> String? in
            switch device.address {
            case .v4: device.address?.ipAddress
            // A link-local address means nothing without the name of an interface of the reader's own machine.
            case .v6 where listening != "0.0.0.0":
                device.address?.ipAddress.flatMap { $0.hasPrefix("fe80") ? nil : $0 }
            case .v6, .unixDomainSocket, nil: nil
            }
        }
        let reachable = addresses.filter { !$0.hasPrefix("127.") && $0 != "::1" }
        return reachable.isEmpty ? [listening == "::" ? "::1" : "127.0.0.1"] : reachable
    }
}
