import Commands
package import Kernel

/// Why a computer could not be locked, put to sleep or used to wake another. The description is shown to the person.
package enum PowerError: ClassifiedError, Hashable {
    /// The system has no manager of sessions.
    case noManager(reason: String)
    /// Nobody is logged in on a screen of the computer as the owner.
    case noSession
    /// The system does not let this program do it without a password.
    case notPermitted
    /// The hardware or the system's settings have no sleep.
    case cannotSleep
    case refused(reason: String)
    /// No packet went out.
    case notSent(reason: String)

    package var facts: FailureFacts {
        switch self {
        case .noManager, .noSession, .notPermitted, .cannotSleep: .code(FailureCode.unsupported)
        case .refused, .notSent: .code(FailureCode.busy)
        }
    }

    package var description: String {
        switch self {
        case .noManager(let reason):
            "The computer has no manager of sessions that Tandem could ask (\(reason)). It needs systemd-logind or elogind."
        case .noSession:
            "Nobody is logged in on a screen of the computer as the user whose Tandem this is. Log in there first."
        case .notPermitted:
            """
            The computer does not let Tandem do that without a password. Its administrator can allow it with a rule of polkit for \
            org.freedesktop.login1.suspend.
            """
        case .cannotSleep: "The computer has no sleep: its hardware or its settings do not offer it."
        case .refused(let reason): "The computer refused: \(reason)."
        case .notSent(let reason):
            "The computer could send no packet into its network: \(reason). Check that it is connected to one."
        }
    }
}
