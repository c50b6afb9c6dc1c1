public import Kernel

/// `BackupMeta`: the package that the old phone offers. Everything in it is a claim until the container's own checks are done.
public struct BackupMeta: Hashable, Codable, Sendable {
    public var backupID: String
    public var transferID: String
    public var schemaVersion: Int
    /// Bytes of the sealed package.
    public var encSize: Int64
    /// Lowercase hexadecimal; may arrive in `Complete` instead.
    public var encSHA256: String?
    /// Bytes of every chunk but the last.
    public var chunkSize: Int
    public var chunkCount: Int
    public var containerHeader: WireData?
    /// The outer copy of the manifest (rule #1). The transfer hands it on unread.
    public var manifest: JSONValue?
    public var restoreBytesNeeded: Int64?

    enum CodingKeys: String, CodingKey {
        case schemaVersion, encSize, encSHA256, chunkSize, chunkCount, containerHeader, manifest, restoreBytesNeeded
        case backupID = "backupId"
        case transferID = "transferId"
    }

    public init(backupID: String, transferID: String, schemaVersion: Int, encSize: Int64, chunkSize: Int) {
        self.backupID = backupID
        self.transferID = transferID
        self.schemaVersion = schemaVersion
        self.encSize = encSize
        self.chunkSize = chunkSize
        chunkCount = chunkSize > 0 ? Int(clamping: (encSize - 1) / Int64(chunkSize) + 1) : 0
    }

    /// Checks that the sizes agree, before anything is allocated by them.
    ///
    /// - Throws: ``TransferError/malformedMessage(what:)``.
    public func checkSizes() throws(TransferError) {
        guard (1...16 << 20).contains(chunkSize) else { throw .malformedMessage(what: "chunkSize") }
        guard (1...1 << 50).contains(encSize) else { throw .malformedMessage(what: "encSize") }
        guard Int64(chunkCount) == (encSize - 1) / Int64(chunkSize) + 1, chunkCount <= 1 << 24 else {
            throw .malformedMessage(what: "chunkCount")
        }
        guard (1...128).contains(transferID.utf8.count), (1...128).contains(backupID.utf8.count) else {
            throw .malformedMessage(what: "identifiers")
        }
    }

    /// Bytes of the chunk at `index`, which is below ``chunkCount``.
    public func length(ofChunk index: Int) -> Int {
        Int(min(Int64(chunkSize), encSize - Int64(index) * Int64(chunkSize)))
    }
}
