/// Lets devices on the same network find this one.
public protocol ServiceAdvertiser: Sendable {
    /// Advertises until the calling task is cancelled, and says goodbye before it returns. Where the system's service
    /// is missing it waits for it.
    func advertise(_ advertisement: ServiceAdvertisement) async

    /// How it stands now, then every change.
    func states() -> AsyncStream<AdvertiserState>
}

/// How an advertisement stands.
public enum AdvertiserState: Hashable, Sendable {
    case idle
    case starting
    case waiting(DiscoveryError)
    /// Others see it under this name, which is another one than asked for when that was taken.
    case advertised(name: String)
}
