/// Tells when this machine's addresses change: another network, another lease, a cable.
public protocol NetworkWatch: Sendable {
    /// Each time that it happened, from now on; what happens while one is handled is told once. Never ends by itself.
    func changes() -> AsyncStream<Void>
}
