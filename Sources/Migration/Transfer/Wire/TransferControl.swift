/// The payload of `PauseTransfer`, `ResumeTransfer` and `CancelTransfer`, each of which uses a part of it.
public struct TransferControl: Hashable, Codable, Sendable {
    public var transferID: String
    /// A word, for example `user` or `diskFull`; open set.
    public var reason: String?
    /// Chunks that the receiver holds, in its `ResumeTransfer`; absent where a pause ends before the transfer began.
    public var received: ChunkRanges?
    /// Lowercase hexadecimal of the container header's hash, in `ResumeTransfer`.
    public var headerSHA256: String?
    /// Bytes in flight that the receiver allows.
    public var window: Int?

    enum CodingKeys: String, CodingKey {
        case reason, received, headerSHA256, window
        case transferID = "transferId"
    }

    public init(
        transferID: String,
        reason: String? = nil,
        received: ChunkRanges? = nil,
        headerSHA256: String? = nil,
        window: Int? = nil
    ) {
        self.transferID = transferID
        self.reason = reason
        self.received = received
        self.headerSHA256 = headerSHA256
        self.window = window
    }
}
