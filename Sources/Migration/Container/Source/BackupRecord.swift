public import Kernel

/// A record of a backup's source.
public struct BackupRecord: Sendable {
    /// By which reading goes on behind it.
    public let key: String
    /// An object, in canonical JSON (`docs/protocol.md` 1.2).
    public let text: [UInt8]

    /// - Parameter text: In canonical form: a source that can write it needs no tree of values.
    public init(key: String, text: [UInt8]) {
        self.key = key
        self.text = text
    }

    /// - Parameter value: An object.
    public init(key: String, value: JSONValue) { self.init(key: key, text: value.canonicalBytes) }
}
