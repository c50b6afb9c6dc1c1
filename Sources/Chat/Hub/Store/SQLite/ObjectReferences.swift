package import Accounts
package import GRDB

/// The counts of references to stored objects, kept in the transaction of the message that refers to them: after a crash neither a message
/// lacks its object nor an object stays that nothing refers to.
package protocol ObjectReferences: Sendable {
    /// Counts a reference.
    ///
    /// - Throws: ``ChatHubError/unknownObject`` for an object that this person did not upload, or not for this use.
    func retain(_ objectKey: String, uploadedBy person: UserID, isViewOnce: Bool, in database: Database) throws
    /// Takes a reference back. The file itself goes after the commit, never before.
    func release(_ objectKey: String, in database: Database) throws
}
