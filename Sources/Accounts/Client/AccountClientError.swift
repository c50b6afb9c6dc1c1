public import Accounts
public import WebClient

/// Why a device's account does not do what was asked. The description is shown to the person: what happened, then what to do.
public enum AccountClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This device has an account already.
    case alreadySignedIn(name: String, hub: String)
    case notSignedIn
    case malformedInvitation
    /// A password or a token would go there in the clear.
    case unsafeAddress(String)
    /// The session was ended from another device, by the hub's operator, or by a new password. The device has forgotten it.
    case signedOut(name: String, hub: String)
    /// This device's clock and the hub's are too far apart.
    case clockWrong(hub: String)
    /// What answers knows no accounts: a hub of an older version, or another server.
    case noAccounts(hub: String)
    /// The hub's address leads elsewhere.
    case redirected(hub: String)
    case brokenAnswer(hub: String)
    /// The hub refused, with its own sentence: a name that is taken, an invitation that is not good, a wrong password.
    case refused(IMFailure)
    /// The hub was not asked, or did not answer.
    case unreachable(WebClientError)

    public var description: String {
        switch self {
        case .alreadySignedIn(let name, let hub):
            "This device has the account \(name) at \(hub) already. Sign out there first."
        case .notSignedIn: "This device has no account. Make one, or sign in."
        case .malformedInvitation: "The code of an invitation has twelve digits. Check it and type it again."
        case .unsafeAddress(let hub):
            "Nothing was sent to \(hub): others could read it on the way. Use the hub's address with wss:// or https://."
        case .signedOut(let name, let hub):
            "\(name) was signed out at \(hub): from another device, by a new password or by the hub's operator. Sign in again, "
                + "and end devices there that are not yours."
        case .clockWrong(let hub):
            "\(hub) says that this device's clock is wrong. Set the date and time, then try again."
        case .noAccounts(let hub):
            "\(hub) knows no accounts. Check the address; if it is right, the hub has to be updated."
        case .redirected(let hub): "\(hub) leads elsewhere, and nothing was sent there. Use the hub's own address."
        case .brokenAnswer(let hub):
            "The answer of \(hub) cannot be read. Check the address, and that the hub is up to date."
        case .refused(let failure): "\(failure)"
        case .unreachable(let error): "\(error)"
        }
    }
}
