import Crypto
import Kernel
import MigrationTransfer
import Synchronization

/// A package whose bytes follow from their place, and which counts what was read of it.
final class PatternPackage: PackageSource {
    let meta: BackupMeta
    private let bytesRead = Mutex<Int64>(0)
    private let failure = Mutex<MigrationTransferError?>(nil)

    init(size: Int64, chunkSize: Int, transferID: String = "transfer-1") {
        var meta = BackupMeta(
            backupID: "backup-1",
            transferID: transferID,
            schemaVersion: 1,
            encSize: size,
            chunkSize: chunkSize
        )
        meta.containerHeader = WireData(Array("header of \(transferID)".utf8))
        self.meta = meta
    }

    /// All bytes that were read, those that were read twice twice.
    var readBytes: Int64 { bytesRead.withLock { $0 } }

    func fail(_ error: MigrationTransferError) { failure.withLock { $0 = error } }

    func read(_ range: Range<Int64>) async throws -> [UInt8] {
        if let failure = failure.withLock({ $0 }) { throw failure }
        bytesRead.withLock { $0 += Int64(range.count) }
        return Self.bytes(range)
    }

    static func bytes(_ range: Range<Int64>) -> [UInt8] {
        range.map { UInt8(truncatingIfNeeded: ($0 &* 0x9E37_79B9) >> 7) }
    }

    /// What has to lie on the new phone's disk in the end.
    var whole: [UInt8] { Self.bytes(0..<meta.encSize) }
}
