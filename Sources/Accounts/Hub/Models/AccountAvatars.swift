package import Accounts
package import GRDB

/// The pictures of accounts, which another store of the same database keeps.
package struct AccountAvatars: Sendable {
    /// Another picture takes the place of one, in the transaction that changes the account. Both are keys; empty for none.
    let replace: @Sendable (_ database: Database, _ old: String, _ new: String, _ person: UserID) throws -> Void

    /// - Parameter replace: Throws ``AccountsError/badAvatar`` for a key that is no picture of this person.
    package init(
        replace:
            @escaping @Sendable (_ database: Database, _ old: String, _ new: String, _ person: UserID) throws -> Void
    ) {
        self.replace = replace
    }
}
