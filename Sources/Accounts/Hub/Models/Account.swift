package import Accounts

/// A person's account, as the hub keeps it.
package struct Account: Hashable, Sendable {
    package let person: UserID
    package let name: AccountName
    /// The name to show; the account's name where the person chose none.
    package let nickname: String
    /// The key of a picture; empty for none.
    package let avatar: String
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let isSuspended: Bool
    /// Nil for an account that only keys open.
    let password: PasswordHash?
}
