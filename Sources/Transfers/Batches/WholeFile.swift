/// A small file that travels whole. Source: `docs/protocol.md`, "Many small files".
package struct WholeFile: Hashable, Sendable {
    /// Any bytes that one file can be called; not checked yet.
    package var name: [UInt8]
    package var content: [UInt8]
    /// The permission bits of a POSIX mode, of which at most 0o777 is taken; nil: 0o644.
    package var permissions: UInt32?
    /// Since 1970-01-01T00:00:00Z; nil: when it is written.
    package var modifiedMilliseconds: Int64?

    package init(name: [UInt8], content: [UInt8], permissions: UInt32? = nil, modifiedMilliseconds: Int64? = nil) {
        self.name = name
        self.content = content
        self.permissions = permissions
        self.modifiedMilliseconds = modifiedMilliseconds
    }
}
