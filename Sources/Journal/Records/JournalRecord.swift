package import Kernel

/// A model that is read from, and written as, one JSON record of a package.
package protocol JournalRecord: Sendable {
    static var kind: RecordKind { get }

    /// - Throws: ``JournalError/badRecord(_:member:)`` naming the member that does not fit.
    init(record: JSONValue) throws(JournalError)

    var record: JSONValue { get }
}
