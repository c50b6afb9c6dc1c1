/// Finds devices on the same network.
public protocol ServiceBrowser: Sendable {
    /// Looks for devices until the calling task is cancelled. Where the system's service is missing it waits for it.
    func browse() async

    /// The devices known now, then every change: a reader that falls behind gets the newest.
    func snapshots() -> AsyncStream<DiscoverySnapshot>
}
