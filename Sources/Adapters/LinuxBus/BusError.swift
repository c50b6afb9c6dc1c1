/// Why a message bus did not do what it was asked to. The description is shown to the person: what happened, then what to do.
package enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This machine has no session bus for this user.
    case noSession
    /// The bus cannot be used.
    case unreachable(reason: String)
    /// The bus belongs to another user.
    case foreignBus
    /// No program serves the name that was called, and the bus starts none.
    case noService
    /// The program that was called said no, with these words.
    case refused(reason: String)
    case timedOut(after: Duration)

    package var description: String {
        switch self {
        case .noSession:
            """
            There is no desktop session of this user on the computer: neither DBUS_SESSION_BUS_ADDRESS nor a bus in \
            XDG_RUNTIME_DIR is there. Log in on its desktop, or start Tandem from inside the session.
            """
        case .unreachable(let reason):
            "The computer's message bus cannot be used: \(reason). Check that its desktop session still runs."
        case .foreignBus:
            """
            The message bus that Tandem was started with belongs to another user of the computer. Start Tandem as the \
            user whose desktop it is.
            """
        case .noService: "A program of the computer's desktop that is needed does not run, and cannot be started there."
        case .refused(let reason): "A program of the computer's desktop said no: \(reason)."
        case .timedOut(let limit):
            "A program of the computer's desktop did not answer within \(limit). Try again."
        }
    }
}
