import Commands
import Transfers

/// A file of a computer as it arrives, in order, without a place on this device's disk. A few parts are asked for ahead.
///
/// When a file is read from its first byte to its last, the last part is handed out once the whole has the computer's checksum.
actor FileStream {
    private static let ahead = 8

    private let client: FileTransferClient
    private let transfer: RemoteTransfer
    private let range: Range<Int64>
    /// The digest of the bytes handed out, of no use once a part was missed; nil where the whole is not read.
    private(set) var digest: FileDigest?
    /// Parts that were not asked for yet.
    private var chunks: ArraySlice<Range<Int64>>
    private var asked: [(chunk: Range<Int64>, task: Task<ArraySlice<UInt8>, any Error>)] = []

    /// - Parameters:
    ///   - range: Bytes of the file, inside of it.
    ///   - digest: The digest of a stream before this one, of the same version and with the same method, that took all before `range`.
    init(
        _ transfer: RemoteTransfer,
        _ range: Range<Int64>,
        client: FileTransferClient,
        digest before: FileDigest? = nil
    ) {
        self.client = client
        self.transfer = transfer
        self.range = range
        let isWhole = range == 0..<transfer.size && transfer.version != nil
        digest = before ?? (isWhole ? FileDigest(transfer.checksumMethod, size: transfer.size) : nil)
        chunks = transfer.chunks(without: ByteRanges()).filter { $0.overlaps(range) }[...]
    }

    deinit {
        // The reader has gone.
        for part in asked { part.task.cancel() }
    }

    /// The next bytes; nil at the end.
    ///
    /// - Throws: ``TransferError``; `RemoteFailure` when the computer refuses, `RemoteError` when it does not answer.
    func next() async throws -> [UInt8]? {
        ask()
        guard !asked.isEmpty else { return nil }
        let (chunk, task) = asked.removeFirst()
        let bytes = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        ask()
        if digest != nil {
            try digest?.take(bytes, at: chunk.lowerBound)
            if asked.isEmpty { try await check() }
        }
        let part = chunk.clamped(to: range)
        return Array(bytes.dropFirst(Int(part.lowerBound - chunk.lowerBound)).prefix(part.count))
    }

    private func ask() {
        while asked.count < Self.ahead, let chunk = chunks.popFirst() {
            // Ended by `deinit`, or by the reader's cancellation.
            let task = Task { [client, transfer] in
                try await client.window.with(chunk.count) { try await client.part(chunk, of: transfer) }
            }
            asked.append((chunk, task))
        }
    }

    private func check() async throws {
        guard var digest else { return }
        let found = try digest.finish(named: "The file")
        guard try await client.remoteChecksum(transfer) == found else { throw TransferError.checksumMismatch }
    }
}
