/// `StartBackup`: the old phone begins to read its data.
public struct StartBackup: Hashable, Codable, Sendable {
    public var transferID: String
    /// Bytes.
    public var estimatedBytes: Int64?

    enum CodingKeys: String, CodingKey {
        case transferID = "transferId"
        case estimatedBytes
    }

    public init(transferID: String, estimatedBytes: Int64? = nil) {
        self.transferID = transferID
        self.estimatedBytes = estimatedBytes
    }
}
