/// `StartTransfer`: the new phone accepts the package. From the old phone it says nothing new and is passed over.
public struct StartTransfer: Hashable, Codable, Sendable {
    public var transferID: String
    /// Chunks that the receiver holds durably, which need not be sent.
    public var from: ChunkRanges?
    /// Bytes in flight that the receiver allows; absent in old peers, which acknowledge each chunk.
    public var window: Int?

    enum CodingKeys: String, CodingKey {
        case from, window
        case transferID = "transferId"
    }

    public init(transferID: String, from: ChunkRanges? = nil, window: Int? = nil) {
        self.transferID = transferID
        self.from = from
        self.window = window
    }
}
