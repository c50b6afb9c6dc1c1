public import Foundation

/// What a package says about itself.
public struct BackupDescription: Codable, Hashable, Sendable {
    public let backupID: UUID
    public let appVersion: String
    /// Seconds since 1970-01-01T00:00:00Z.
    public let createdAt: Int64

    public init(backupID: UUID, appVersion: String, createdAt: Int64) {
        self.backupID = backupID
        self.appVersion = appVersion
        self.createdAt = createdAt
    }
}

extension BackupDescription {
    /// The identifier's 16 bytes, as the header holds them.
    var backupIDBytes: [UInt8] { withUnsafeBytes(of: backupID.uuid) { Array($0) } }
}
