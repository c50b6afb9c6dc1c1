/// How far one file is.
public struct TransferProgress: Hashable, Sendable {
    public var direction: TransferDirection
    /// On the desktop.
    public var path: String
    public var done: Int64
    public var total: Int64

    package init(direction: TransferDirection, path: String, done: Int64, total: Int64) {
        self.direction = direction
        self.path = path
        self.done = done
        self.total = total
    }
}
