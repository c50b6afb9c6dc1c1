/// How far one file is.
public struct TransferProgress: Hashable, Sendable {
    /// Seen from the phone.
    public var direction: TransferDirection
    /// The file's path on the computer.
    public var path: String
    /// Bytes that have arrived, with those of an earlier attempt.
    public var done: Int64
    /// The file's size in bytes.
    public var total: Int64

    package init(direction: TransferDirection, path: String, done: Int64, total: Int64) {
        self.direction = direction
        self.path = path
        self.done = done
        self.total = total
    }
}
