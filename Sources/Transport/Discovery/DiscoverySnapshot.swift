/// Everything a browser knows at one moment.
public struct DiscoverySnapshot: Hashable, Sendable {
    /// Whether the search runs, and why not.
    public var state: DiscoveryState
    /// By name; includes this device's own advertisement, and each claim of one device id by itself.
    public var services: [DiscoveredService]

    public init(state: DiscoveryState = .idle, services: [DiscoveredService] = []) {
        self.state = state
        self.services = services
    }

    /// The services that claim to be this device: usually one.
    public func services(of deviceID: String) -> [DiscoveredService] {
        services.filter { $0.deviceID == deviceID }
    }
}
