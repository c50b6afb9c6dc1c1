/// The reason why a client shortens the wait before its next try.
enum SignalNudge: Hashable, Sendable {
    /// A caller waits for something over the server.
    case soon
    /// The obstacle to reaching the server may be gone.
    case now
}
