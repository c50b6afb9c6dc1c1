/// `ChunkAck`: what the receiver has, what it wants again and how much more it takes.
public struct ChunkAck: Hashable, Codable, Sendable {
    public enum Status: Hashable, Codable, Sendable, RawRepresentable {
        case ok, resend
        /// A word of a later version, which is passed over.
        case unknown(String)

        public init(rawValue: String) {
            self =
                switch rawValue {
                case "ok": .ok
                case "resend": .resend
                default: .unknown(rawValue)
                }
        }

        public var rawValue: String {
            switch self {
            case .ok: "ok"
            case .resend: "resend"
            case .unknown(let word): word
            }
        }
    }

    public var transferID: String
    /// The chunk that caused this acknowledgement; with `resend`, the one to send again.
    public var index: Int
    public var status: Status
    /// All chunks below this one arrived.
    public var cumulative: Int?
    /// Chunks above ``cumulative`` that arrived; at most ``ChunkRanges/maximumOnWire`` ranges.
    public var ranges: ChunkRanges?
    /// Bytes in flight that the receiver allows from now on; absent in old peers.
    public var window: Int?
    /// Bytes on the receiver's disk that survive a loss of power.
    public var durable: Int64?

    enum CodingKeys: String, CodingKey {
        case index, status, cumulative, ranges, window, durable
        case transferID = "transferId"
    }

    public init(transferID: String, index: Int, status: Status) {
        self.transferID = transferID
        self.index = index
        self.status = status
    }
}
