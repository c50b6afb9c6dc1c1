package import Kernel

/// A model that is read from, and written as, one JSON record of a package.
package protocol JournalRecord: Sendable {
    static var kind: RecordKind { get }

    /// - Throws: ``JournalError/badRecord(_:member:)`` naming the member that does not fit.
    init(reading reader: inout RecordReader) throws(JournalError)

    var record: JSONValue { get }

    /// Appends the record's canonical text. What a kind does for itself here has to be the same as ``record`` gives.
    func appendText(to bytes: inout [UInt8])
}

extension JournalRecord {
    /// - Throws: As ``init(reading:)``.
    package init(record: JSONValue) throws(JournalError) {
        var reader = try RecordReader(Self.kind, record)
        try self.init(reading: &reader)
    }

    /// Reads the record's JSON text, of which no tree of values is made. The result, and what is refused, are those of ``init(record:)``.
    ///
    /// - Throws: As ``init(reading:)``; for a text that is no JSON object it names ``RecordReader/textMember``.
    package init(recordText text: [UInt8]) throws(JournalError) {
        var reader = try RecordReader(Self.kind, text: text)
        try self.init(reading: &reader)
    }

    package func appendText(to bytes: inout [UInt8]) { bytes += record.canonicalBytes }
}
