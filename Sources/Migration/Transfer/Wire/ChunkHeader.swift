/// The JSON part of `BackupChunk`; the chunk's bytes follow it in the frame. The hash finds accidents only: the package is sealed (rule #10).
public struct ChunkHeader: Hashable, Codable, Sendable {
    public var transferID: String
    public var index: Int
    /// Bytes from the start of the package.
    public var offset: Int64
    /// Bytes.
    public var length: Int
    /// Lowercase hexadecimal.
    public var chunkSHA256: String

    enum CodingKeys: String, CodingKey {
        case index, offset, length, chunkSHA256
        case transferID = "transferId"
    }

    public init(transferID: String, index: Int, offset: Int64, length: Int, chunkSHA256: String) {
        self.transferID = transferID
        self.index = index
        self.offset = offset
        self.length = length
        self.chunkSHA256 = chunkSHA256
    }

    /// - Throws: ``MigrationTransferError/malformedMessage(what:)`` unless the place is the one that `meta` gives to the index.
    public func check(against meta: BackupMeta, rawBytes: Int) throws(MigrationTransferError) {
        guard (0..<meta.chunkCount).contains(index) else { throw .malformedMessage(what: "chunk index") }
        guard offset == Int64(index) * Int64(meta.chunkSize) else { throw .malformedMessage(what: "chunk offset") }
        guard length == meta.length(ofChunk: index), rawBytes == length else {
            throw .malformedMessage(what: "chunk length")
        }
    }
}
