/// What a sealed session gives to the bulk connections beside it. Source: `docs/protocol.md` 2.12.1.
package struct BulkSecret: Hashable, Sendable {
    /// The session's `sid`, 16 bytes: both ends have the same secret while they have the same session.
    package let session: [UInt8]
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(session: [UInt8], bytes: [UInt8]) {
        self.session = session
        self.bytes = bytes
    }
}

// Printing or dumping this value shows no secret.
extension BulkSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "the secret of a session's bulk connections" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
