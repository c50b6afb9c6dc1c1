import Crypto
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
    /// - Throws: ``MigrationTransferError/malformedMessage(what:)``.
    public func checkSizes() throws(MigrationTransferError) {
        guard (1...16 << 20).contains(chunkSize) else { throw .malformedMessage(what: "chunkSize") }
        guard (1...1 << 50).contains(encSize) else { throw .malformedMessage(what: "encSize") }
        guard Int64(chunkCount) == (encSize - 1) / Int64(chunkSize) + 1, chunkCount <= 1 << 24 else {
            throw .malformedMessage(what: "chunkCount")
        }
        guard (1...128).contains(transferID.utf8.count), (1...128).contains(backupID.utf8.count) else {
            throw .malformedMessage(what: "identifiers")
        }
    }

    /// Whether `other` describes the same bytes: both resume one transfer. The manifest need not be compared, because the container's header binds it.
    public func isSamePackage(as other: BackupMeta) -> Bool {
        transferID == other.transferID && backupID == other.backupID && encSize == other.encSize
            && chunkSize == other.chunkSize && headerSHA256 == other.headerSHA256
    }

    /// SHA-256 of the container's header, 32 bytes; of nothing where the peer sent no header.
    public var headerSHA256: [UInt8] { Array(SHA256.hash(data: containerHeader?.bytes ?? [])) }

    /// The chunk size for a package of `bytes`: small ones keep a slow link responsive, large ones keep the number of chunks low.
    ///
    /// - Parameter limit: `maxChunkSize` of the peer, if it said one.
    public static func chunkSize(forPackageOf bytes: Int64, limit: Int?) -> Int {
        let wanted = bytes < 64 << 20 ? 256 << 10 : bytes < 16 << 30 ? 1 << 20 : 4 << 20
        return max(1 << 10, min(wanted, limit ?? wanted))
    }

    /// The bytes of the chunks in `ranges`; those above ``chunkCount`` count nothing.
    public func bytes(in ranges: ChunkRanges) -> Int64 {
        ranges.ranges.reduce(0) { sum, range in
            let end = min(Int64(range.upperBound) * Int64(chunkSize), encSize)
            return sum + max(0, end - Int64(range.lowerBound) * Int64(chunkSize))
        }
    }

    /// Bytes from the start of the package at which the chunk at `index` lies.
    public func range(ofChunk index: Int) -> Range<Int64> {
        let start = Int64(index) * Int64(chunkSize)
        return start..<start + Int64(length(ofChunk: index))
    }

    /// Bytes of the chunk at `index`, which is below ``chunkCount``.
    public func length(ofChunk index: Int) -> Int {
        Int(min(Int64(chunkSize), encSize - Int64(index) * Int64(chunkSize)))
    }
}
