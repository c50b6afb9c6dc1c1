import Foundation
import Pairing
import Synchronization
import Transport

/// Where computers may be found: what the network says, what was typed, what paired computers told.
final class ServerLocator: Sendable {
    /// Set for the length of one call: ask there first.
    @TaskLocal static var typed: SignalingAddress?

    private let hub: URL?
    private let snapshot = Mutex(DiscoverySnapshot())

    init(hub: URL?) { self.hub = hub }

    func update(_ snapshot: DiscoverySnapshot) {
        self.snapshot.withLock { $0 = snapshot }
    }

    /// Servers on the local network that claim to be this computer. Only its session proves it.
    func localServers(of desktopID: String) -> [URL] {
        snapshot.withLock { $0.services(of: desktopID) }.flatMap(Self.urls)
    }

    /// Local servers first, then the hub, then where paired computers are reached.
    func addresses(known: [PairedDesktop]) -> [SignalingAddress] {
        let local = snapshot.withLock(\.services).flatMap(Self.urls)
        let others = [hub].compactMap(\.self) + known.flatMap { [$0.relayURL, $0.lanSignalingURL].compactMap(\.self) }
        var addresses: [SignalingAddress] = []
        if let typed = Self.typed { addresses.append(typed) }
        for url in local + others {
            // An address that must not be used is not offered; who set it was told when it was set.
            guard let address = try? SignalingAddress(url.absoluteString), !addresses.contains(address) else {
                continue
            }
            addresses.append(address)
        }
        return addresses
    }

    private static func urls(of service: DiscoveredService) -> [URL] {
        service.addresses.compactMap { address in
            let host = address.contains(":") ? "[\(address.replacing("%", with: "%25"))]" : address
            return URL(string: "ws://\(host):\(service.port)")
        }
    }
}
