public import Commands
import Rights

/// Source: `docs/protocol.md`, "Saved commands, lock and sleep".
public enum PowerMethods {
    /// Says what the computer can do of locking and sleeping, and how it can be woken. Phones keep the addresses for the time when it sleeps.
    public static let status = Method<NoParameters, PowerStatus>(
        "power.status",
        needs: Permission(.power),
        risk: .safe,
        summary: "Says what the computer can do of locking and sleeping, and how it can be woken."
    )
    public static let lock = Method<NoParameters, Done>(
        "power.lock",
        needs: Permission(.power),
        risk: .mutating,
        isRepeatable: true,
        summary: "Locks the session's screen."
    )
    /// Never waits for a computer that is away: it would sleep again right after it woke.
    public static let sleep = Method<NoParameters, Done>(
        "power.sleep",
        needs: Permission(.power),
        risk: .mutating,
        summary: "Puts the computer to sleep."
    )
    public static let wake = Method<WakeRequest, WakeSent>(
        "power.sendWake",
        needs: Permission(.powerWake),
        risk: .mutating,
        isRepeatable: true,
        summary: "Broadcasts the packet that wakes another computer."
    )

    /// The feature's methods, for catalogues and registries.
    public static let all: [MethodDeclaration] = [
        status.declaration, lock.declaration, sleep.declaration, wake.declaration,
    ]
}
