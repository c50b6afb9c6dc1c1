public import Foundation
public import Signaling
import Synchronization

/// Signaling servers in memory, by port: all addresses with a port lead to one server.
public final class InMemoryNetwork: Sendable {
    private let relays = Mutex<[Int: InMemoryRelay]>([:])

    public init() {}

    /// The server at an address, made when there is none yet.
    public func relay(at url: URL) -> InMemoryRelay { relay(port: url.port ?? 0) }

    /// The server at a port, made when there is none yet.
    public func relay(port: Int) -> InMemoryRelay {
        relays.withLock { relays in
            if let relay = relays[port] { return relay }
            let relay = InMemoryRelay()
            relays[port] = relay
            return relay
        }
    }

    /// The access through which roles use these servers.
    public var access: SignalAccess {
        SignalAccess { [self] _, _ in InMemorySignalClient { self.relay(at: $0) } }
    }
}
