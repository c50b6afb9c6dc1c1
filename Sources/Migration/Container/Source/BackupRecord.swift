public import Kernel

/// A record of a backup's source.
public struct BackupRecord: Sendable {
    /// By which reading goes on behind it.
    public let key: String
    /// An object.
    public let value: JSONValue

    public init(key: String, value: JSONValue) {
        self.key = key
        self.value = value
    }
}
