/// What this phone says of itself. Before the peer is proven only the role is told (rule #30).
public struct MigrationProfile: Hashable, Sendable {
    public var role: MigrationRole
    /// The schema of this phone's data.
    public var schemaVersion: Int
    /// The oldest schema that this phone reads.
    public var minSchemaVersion: Int
    public var appVersion: String
    public var deviceName: String
    public var containerVersions = [2, 1]
    /// Bytes; at most 16 MiB.
    public var maxChunkSize = 4 << 20
    /// Bytes in flight that a receiver allows.
    public var window = SendWindow.maximumBytes

    public init(
        role: MigrationRole,
        schemaVersion: Int,
        minSchemaVersion: Int,
        appVersion: String,
        deviceName: String
    ) {
        self.role = role
        self.schemaVersion = schemaVersion
        self.minSchemaVersion = minSchemaVersion
        self.appVersion = appVersion
        self.deviceName = deviceName
    }

    func handshake(sessionID: String, nonce: [UInt8]) -> Handshake {
        var handshake = Handshake(role: role, sessionID: sessionID, nonce: nonce)
        handshake.schemaVersion = schemaVersion
        handshake.minSchemaVersion = minSchemaVersion
        handshake.appVersion = appVersion
        handshake.deviceName = deviceName
        handshake.containerVersions = containerVersions
        handshake.maxChunkSize = maxChunkSize
        handshake.window = window
        handshake.features = ["sack", "resume", "pake"]
        return handshake
    }

    /// Checks that the new phone can read the old one's data. Both phones do so, so that both say it.
    ///
    /// - Throws: ``MigrationTransferError/needsAppUpdate(theirs:ours:)``, ``MigrationTransferError/dataTooOld(theirs:oldest:)``. A peer that says no
    ///   schema is checked by `BackupMeta`.
    func checkSchema(of peer: Handshake) throws(MigrationTransferError) {
        guard let theirs = peer.schemaVersion else { return }
        let (data, reader) = role == .source ? (schemaVersion, theirs) : (theirs, schemaVersion)
        let oldest = role == .source ? peer.minSchemaVersion ?? 0 : minSchemaVersion
        guard data <= reader else { throw .needsAppUpdate(theirs: data, ours: reader) }
        guard data >= oldest else { throw .dataTooOld(theirs: data, oldest: oldest) }
    }
}
