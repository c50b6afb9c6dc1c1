/// A session that the responder answered and has not seen used: only the first record of it shows that the handshake
/// was no replay.
struct PendingSession: Sendable {
    var session: LiveSession
    let epoch: Epoch
    let acknowledged: Acknowledged
}
