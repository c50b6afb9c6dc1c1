import Foundation
import Kernel
import Pairing
import SignalingServer
import Transport

/// Where this computer is found: for its code, for the typed code's alias, for its own loopback client.
struct DesktopAddresses: Sendable {
    private static let loopbackHost = "127.0.0.1"

    let configuration: DesktopConfiguration
    let port: LatestValue<Int?>

    /// The address by which others on the network reach this machine, or nil when it is on none. An address on the internet is
    /// none: no phone goes to `ws://` there.
    var localAddress: String? {
        let listening = configuration.server.address
        guard Self.isAnyAddress(listening) else { return listening }
        let interfaces = NetworkInterface.current()
        let addresses = LocalAddresses.reachable(among: interfaces) + LocalAddresses.lastResort(among: interfaces)
        if let found = addresses.map(\.description).first(where: LocalAddresses.isPrivateOrLoopback) { return found }
        return uniqueLocalAddresses.first
    }

    /// This machine's unique local IPv6 addresses; empty where the server does not listen to IPv6.
    private var uniqueLocalAddresses: [String] {
        guard ["::", "*"].contains(configuration.server.address) else { return [] }
        return LocalAddresses.uniqueLocal(among: IPv6Interface.current()).map(\.address)
    }

    /// - Parameter announced: The page for phones that the hub says it serves.
    func forCode(phonePage announced: String?) async -> PairingHostDependencies.Addresses {
        await .init(
            signalingURL: signalingURL(),
            relayURL: configuration.hubURL,
            phonePage: hubsPage(announced) ?? ownPage
        )
    }

    private func hubsPage(_ announced: String?) -> URL? {
        guard let announced, let hub = configuration.hubURL else { return nil }
        return PhonePageAddress(announced, of: hub)?.url
    }

    /// The page of this computer's own server, where that is reached by a name of its certificate.
    private var ownPage: URL? {
        guard configuration.server.tls != nil, let url = configuration.advertisedURL,
            let server = PhonePageAddress.Server(url), server.scheme == "wss"
        else { return nil }
        return configuration.server.phonePage(server.authority.text).flatMap { PhonePageAddress($0, of: url)?.url }
    }

    /// The addresses that a phone is told inside its session: of this computer's own server, and its hub.
    func told() async -> DeviceAddresses {
        var lan = [await signalingURL()].compactMap(\.self)
        if Self.isAnyAddress(configuration.server.address), let port = await boundPort() {
            let addresses = LocalAddresses.reachable(among: NetworkInterface.current()).map(\.description)
            for address in addresses + uniqueLocalAddresses {
                var server = configuration.server
                server.address = address
                let url = Self.loopback(server, port: port)
                if !lan.contains(url) { lan.append(url) }
            }
        }
        return DeviceAddresses(
            lan: lan.compactMap { try? SignalingAddress($0.absoluteString) },
            relays: [configuration.hubURL].compactMap { $0.flatMap { try? SignalingAddress($0.absoluteString) } }
        )
    }

    /// The addresses that the person at this computer is shown: ``told()`` without this machine's own loopback address, where that only stands
    /// in for a network that the machine is not on.
    func shown() async -> DeviceAddresses {
        let told = await told()
        guard configuration.advertisedURL == nil, Self.isAnyAddress(configuration.server.address) else { return told }
        return DeviceAddresses(
            lan: told.lan.filter { $0.url.host(percentEncoded: false) != Self.loopbackHost },
            relays: told.relays
        )
    }

    /// The servers at which a typed code's alias is held: this computer's own, and the hub.
    func aliasServers() async -> [URL] {
        let own = await boundPort().map { Self.loopback(configuration.server, port: $0) }
        return [own, configuration.hubURL].compactMap(\.self)
    }

    /// The server's own address from inside the machine.
    static func loopback(_ server: SignalingServerConfiguration, port: Int) -> URL {
        let host = Self.host(server)
        var components = URLComponents()
        components.scheme = server.tls == nil ? "ws" : "wss"
        components.host = host.contains(":") ? "[\(host)]" : host
        components.port = port
        // Host and port are all there is, and both were listened on, so there is always a URL.
        return components.url ?? URL(fileURLWithPath: "/")
    }

    static func host(_ server: SignalingServerConfiguration) -> String {
        isAnyAddress(server.address) ? loopbackHost : server.address
    }

    private func signalingURL() async -> URL? {
        if let advertised = configuration.advertisedURL { return advertised }
        guard let port = await boundPort() else { return nil }
        var server = configuration.server
        // A machine on no network can still be paired with a phone on itself.
        server.address = localAddress ?? Self.loopbackHost
        return Self.loopback(server, port: port)
    }

    private func boundPort() async -> Int? {
        for await port in port.values() {
            if let port { return port }
        }
        return nil
    }

    private static func isAnyAddress(_ address: String) -> Bool { ["0.0.0.0", "::", "*"].contains(address) }
}
