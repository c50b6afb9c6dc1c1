import Synchronization
import Transfers

/// The files of transfers under way, for the threads of direct connections.
final class DirectBodies: BulkBodies {
    private let uploads: ActiveUploads
    private let downloads: ActiveDownloads
    private let batches: ActiveBatches
    private let count = Atomic<Int64>(0)

    init(_ uploads: ActiveUploads, _ downloads: ActiveDownloads, _ batches: ActiveBatches) {
        self.uploads = uploads
        self.downloads = downloads
        self.batches = batches
    }

    /// Bytes that went this way, in both directions.
    var byteCount: Int64 { count.load(ordering: .relaxed) }

    func write(_ part: ArraySlice<UInt8>, at offset: Int64, of transfer: TransferID, by device: String) throws {
        if try !batches.write(part, at: offset, of: transfer, by: device) {
            try uploads.upload(transfer, of: device).writeNow(part, at: offset)
        }
        count.add(Int64(part.count), ordering: .relaxed)
    }

    func read(_ count: Int, at offset: Int64, of transfer: TransferID, by device: String) throws -> ArraySlice<UInt8> {
        let bytes = try downloads.download(transfer, of: device).readNow(at: offset, count: count)
        self.count.add(Int64(count), ordering: .relaxed)
        return bytes[...]
    }
}
