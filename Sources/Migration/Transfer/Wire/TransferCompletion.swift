/// `Complete`: the sender has sent all, or the receiver's answer about what became of it (rule #14).
public struct TransferCompletion: Hashable, Codable, Sendable {
    public enum Status: String, Hashable, Codable, Sendable { case received, verified, restored, failed }

    public var transferID: String
    public var chunkCount: Int?
    public var encSHA256: String?
    public var zipSHA256: String?
    /// Only from the receiver.
    public var status: Status?
    /// A word that says why it failed.
    public var code: String?

    enum CodingKeys: String, CodingKey {
        case chunkCount, encSHA256, zipSHA256, status, code
        case transferID = "transferId"
    }

    public init(transferID: String, chunkCount: Int? = nil, status: Status? = nil, code: String? = nil) {
        self.transferID = transferID
        self.chunkCount = chunkCount
        self.status = status
        self.code = code
    }
}
