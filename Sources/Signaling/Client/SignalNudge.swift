/// Why a client should not wait for its next try as long as it meant to.
enum SignalNudge: Hashable, Sendable {
    /// A caller waits for what the server carries.
    case soon
    /// What kept it from the server may be over.
    case now
}
