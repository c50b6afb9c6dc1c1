/// `Complete`: the sender has sent all, or the receiver's answer about what became of it (rule #14).
public struct TransferCompletion: Hashable, Codable, Sendable {
    /// `received`: all of it is on the disk; `verified`: it was opened whole; `restored`: the new phone uses it.
    public enum Status: Hashable, Codable, Sendable, RawRepresentable {
        case received, verified, restored, failed
        /// A word of a later version, which is passed over.
        case unknown(String)

        public init(rawValue: String) {
            self =
                switch rawValue {
                case "received": .received
                case "verified": .verified
                case "restored": .restored
                case "failed": .failed
                default: .unknown(rawValue)
                }
        }

        public var rawValue: String {
            switch self {
            case .received: "received"
            case .verified: "verified"
            case .restored: "restored"
            case .failed: "failed"
            case .unknown(let word): word
            }
        }
    }

    public var transferID: String
    public var chunkCount: Int?
    public var encSHA256: String?
    public var zipSHA256: String?
    /// From the receiver; from the sender only as the receipt for the last one.
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
