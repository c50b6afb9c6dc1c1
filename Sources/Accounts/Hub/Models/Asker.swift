package import Accounts
package import Principals

/// The person who sent a request, proved by an access token.
package struct Asker: Hashable, Sendable {
    package let person: UserID
    package let platform: PlatformID
    /// The id of the session, which is that of the device in the person's list.
    package let session: String
    /// The form for tables and audits: `account:tb_7/SESSION`.
    package let principal: Principal
}
