/// `Handshake`, sent twice by each side: in clear with what the key exchange needs, and sealed with the rest once the peer is proven (rule #30).
public struct Handshake: Hashable, Codable, Sendable {
    public static let currentProtocol = 2

    public var protocolVersion: Int
    public var role: MigrationRole
    /// 16 to 64 characters, fresh for each session and made by the side that dials.
    public var sessionID: String
    /// 16 random bytes of the sender; both enter the key exchange, so that no run repeats.
    public var nonce: WireData?
    public var schemaVersion: Int?
    public var minSchemaVersion: Int?
    public var appVersion: String?
    public var deviceName: String?
    public var containerVersions: [Int]?
    /// Bytes.
    public var maxChunkSize: Int?
    /// Bytes in flight that the sender of this message allows; absent in old peers, which acknowledge each chunk.
    public var window: Int?
    public var features: [String]?

    enum CodingKeys: String, CodingKey {
        case protocolVersion, role, nonce, schemaVersion, minSchemaVersion, appVersion, deviceName, containerVersions
        case maxChunkSize, window, features
        case sessionID = "sessionId"
    }

    public init(protocolVersion: Int = currentProtocol, role: MigrationRole, sessionID: String, nonce: [UInt8]? = nil) {
        self.protocolVersion = protocolVersion
        self.role = role
        self.sessionID = sessionID
        self.nonce = nonce.map(WireData.init)
    }

    /// What makes one run of a proof differ from every other: the session's id and both nonces.
    ///
    /// - Throws: ``MigrationTransferError/sameRole``, ``MigrationTransferError/malformedMessage(what:)``.
    static func exchangeID(source: Handshake, target: Handshake) throws(MigrationTransferError) -> [UInt8] {
        guard source.role == .source, target.role == .target else { throw .sameRole }
        guard source.sessionID == target.sessionID, (16...64).contains(source.sessionID.utf8.count),
            let first = source.nonce?.bytes, let second = target.nonce?.bytes, first.count == 16, second.count == 16
        else { throw .malformedMessage(what: "Handshake") }
        return Array(source.sessionID.utf8) + first + second
    }

    /// Only what may be sent before the peer is proven.
    public var beforeAuthentication: Handshake {
        Handshake(protocolVersion: protocolVersion, role: role, sessionID: sessionID, nonce: nonce?.bytes)
    }
}
