/// How a migration's transfer ended, as both phones know it.
public enum TransferEnd: Hashable, Sendable {
    /// The new phone uses the data. The old phone still deletes nothing by itself (rule #14).
    case restored
    /// The new phone could not use it. `code` is a word of the new phone's, at most 64 characters.
    case failed(code: String)
    case cancelled(byPeer: Bool)
}
