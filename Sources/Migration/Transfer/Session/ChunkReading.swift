import Crypto
import Kernel

/// Makes the messages of a package's chunks: reads their bytes, which seals them where the package lies nowhere, and hashes them.
struct ChunkReading: Sendable {
    let source: any PackageSource
    let meta: BackupMeta

    /// - Throws: ``MigrationTransferError/differentPackage`` where the source gives other bytes than were asked for; what the source throws.
    func message(ofChunk index: Int) async throws -> MigrationMessage {
        let range = meta.range(ofChunk: index)
        let bytes = try await source.read(range)
        guard bytes.count == range.count else { throw MigrationTransferError.differentPackage }
        return .chunk(
            ChunkHeader(
                transferID: meta.transferID,
                index: index,
                offset: range.lowerBound,
                length: bytes.count,
                chunkSHA256: Hexadecimal.encode(SHA256.hash(data: bytes))
            ),
            bytes
        )
    }
}
