import LinuxBus

extension BusMessage {
    /// A session in logind's list, `a(susso)`.
    struct Session: Hashable, Sendable {
        let id: String
        let user: UInt32
        /// Empty for a session without a screen, such as one over the network.
        let seat: String
    }

    /// logind's list of sessions.
    ///
    /// - Parameter limit: More than that are skipped.
    func sessions(limit: Int) -> [Session]? {
        guard enter("a", "(susso)") else { return nil }
        var sessions: [Session] = []
        while sessions.count < limit, enter("r", "susso") {
            guard let id = text(limit: 256), let user = unsigned(), skip("s"), let seat = text(limit: 256), skip("o"),
                leave()
            else { return nil }
            sessions.append(Session(id: id, user: user, seat: seat))
        }
        while !isAtEnd { guard skip("(susso)") else { return nil } }
        return leave() ? sessions : nil
    }
}
