package import Kernel

/// A model that is read from, and written as, one JSON record of a package.
package protocol JournalRecord: Sendable {
    static var kind: RecordKind { get }

    /// - Throws: ``JournalError/badRecord(_:member:)`` naming the member that does not fit.
    init(record: JSONValue) throws(JournalError)

    var record: JSONValue { get }

    /// Appends the record's canonical text. What a kind does for itself here has to be the same as ``record`` gives.
    func appendText(to bytes: inout [UInt8])
}

extension JournalRecord {
    package func appendText(to bytes: inout [UInt8]) { bytes += record.canonicalBytes }
}
