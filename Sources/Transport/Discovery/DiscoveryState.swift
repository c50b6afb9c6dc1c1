/// Whether this machine takes part in discovery.
public enum DiscoveryState: Hashable, Sendable {
    /// No caller asked for it.
    case idle
    /// It is being set up.
    case starting
    /// It works as soon as what is missing is there; nothing needs to be started again.
    case waiting(DiscoveryError)
    case running
}
