package import Accounts
package import GRDB

/// The part of a deletion that belongs to another store of the same database.
package struct AccountRemoval: Sendable {
    /// Removes a person's rows, in the transaction that removes the account. What it throws keeps the account whole.
    let remove: @Sendable (Database, UserID) throws -> Void
    /// Removes what is not in the database, such as files, once the transaction is on disk. It is not asked again after a crash, so what it
    /// removes has to be found by a sweep, too.
    let afterwards: @Sendable (UserID) async -> Void

    package init(
        remove: @escaping @Sendable (Database, UserID) throws -> Void,
        afterwards: @escaping @Sendable (UserID) async -> Void = { _ in }
    ) {
        self.remove = remove
        self.afterwards = afterwards
    }
}
