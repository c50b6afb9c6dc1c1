import Kernel
import ServiceLifecycle
import TandemDesktop
import Transport

/// Finds the computer of the same process, beside what the network says: `tandem up --with-phone` has a phone that finds its computer
/// by typed digits where no discovery service runs, too.
struct NeighbourBrowser: ServiceBrowser {
    let desktop: Desktop
    /// Nil: the network is not asked.
    let network: (any ServiceBrowser)?

    func browse() async {
        if let network {
            await network.browse()
        } else {
            try? await gracefulShutdown()  // cancelled: the same end
        }
    }

    func snapshots() -> AsyncStream<DiscoverySnapshot> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                // It ends before it was there, or its name cannot be advertised: the network says the rest.
                let own = (try? await desktop.serviceOnThisMachine()).flatMap(\.self)
                continuation.yield(Self.adding(own, to: DiscoverySnapshot(state: .running)))
                if let network {
                    for await snapshot in network.snapshots() { continuation.yield(Self.adding(own, to: snapshot)) }
                } else {
                    try? await gracefulShutdown()  // cancelled: the same end
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static func adding(_ own: DiscoveredService?, to snapshot: DiscoverySnapshot) -> DiscoverySnapshot {
        guard let own else { return snapshot }
        var all = snapshot
        all.services = [own] + snapshot.services.filter { $0.deviceID != own.deviceID || $0.did != own.did }
        return all
    }
}
