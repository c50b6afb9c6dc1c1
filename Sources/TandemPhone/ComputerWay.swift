import Foundation
import Pairing
import Transport

/// A server where one computer may be met.
struct ComputerWay: Hashable, Sendable {
    let url: URL
    let kind: LinkKind

    /// Servers on the local network where a computer is looked for at a time, and hubs.
    static let localLimit = 8
    static let relayLimit = 3
    /// The most local servers that only the network names: any device there can name some, and takes no room from the others.
    static let discoveredLimit = 4

    /// Where to look now: what the computer said first, since it says the newest; what is in no list any more is left unless it still
    /// carries something.
    ///
    /// - Parameters:
    ///   - told: What the computer said about its own server since this phone runs.
    ///   - discovered: What the network says.
    ///   - hub: The hub that this phone was started with.
    ///   - current: Where it is looked for so far, and whether that server is there.
    static func wanted(
        for desktop: PairedDesktop,
        told: [URL],
        discovered: [URL],
        hub: URL?,
        current: [ComputerWay: Bool]
    ) -> [ComputerWay] {
        var relays: [URL] = []
        for url in [desktop.relayURL].compactMap(\.self) where !relays.contains(url) { relays.append(url) }
        var local: [URL] = []
        for url in told + [desktop.lanSignalingURL].compactMap(\.self) where !local.contains(url) {
            // The hub in the same house: it has a local address, and is no way to the computer itself.
            if relays.contains(url) { continue }
            if url == hub, !told.contains(url) {
                relays.append(url)
            } else {
                local.append(url)
            }
        }
        func isThere(_ url: URL) -> Bool? { current[ComputerWay(url: url, kind: .lan)] }
        let known = Set(local + relays)
        // One that does not answer makes room for one that was not tried.
        let claimed = discovered.filter { !known.contains($0) }
        let ranked =
            claimed.filter { isThere($0) == true } + claimed.filter { isThere($0) == nil }
            + claimed.filter { isThere($0) == false }
        local += ranked.prefix(discoveredLimit)
        for (way, isThere) in current where isThere && way.kind == .lan {
            if !local.contains(way.url), !relays.contains(way.url) { local.append(way.url) }
        }
        return local.prefix(localLimit).map { ComputerWay(url: $0, kind: .lan) }
            + relays.prefix(relayLimit).map { ComputerWay(url: $0, kind: .relay) }
    }
}
