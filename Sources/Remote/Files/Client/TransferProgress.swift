/// How far one file is.
public struct TransferProgress: Hashable, Sendable {
    public var direction: TransferDirection
    /// On the desktop.
    public var path: String
    public var done: Int64
    public var total: Int64
}
