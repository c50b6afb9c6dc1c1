public import Kernel
public import Transport

/// Finds devices through the avahi-daemon of this machine. One search at a time, for any number of readers.
public final class LinuxServiceBrowser: ServiceBrowser {
    private let snapshot = LatestValue(DiscoverySnapshot())
    private let supervisor: AvahiSupervisor

    public init(time: any TimeSource = .system) {
        supervisor = AvahiSupervisor(time: time)
    }

    public func snapshots() -> AsyncStream<DiscoverySnapshot> { snapshot.values() }

    public func browse() async {
        snapshot.set(DiscoverySnapshot(state: .starting))
        await supervisor.run(
            role: { [snapshot] fail in AvahiSearch(report: { snapshot.set($0) }, fail: fail) },
            // Without a session nothing tells us that a device left: none is known.
            report: { [snapshot] in snapshot.set(DiscoverySnapshot(state: .waiting($0))) }
        )
        snapshot.set(DiscoverySnapshot())
    }
}
