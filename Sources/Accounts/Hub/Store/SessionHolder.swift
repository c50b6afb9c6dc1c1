import Accounts
import Principals
import Sealing

/// The person and the device that a session is for.
struct SessionHolder: Hashable, Sendable {
    let person: UserID
    /// The device's name.
    let name: String
    let platform: PlatformID
    /// The key of the device; nil for one that signed in with a password.
    let did: DID?
}

/// A session, as its refresh token's entry.
typealias SessionEntry = BearerEntry<SessionHolder>
