package import Kernel
import Synchronization

/// The receiver's `transfer.journal` on its disk. A record is durable when its ``append(_:)`` returns.
package final class TransferJournal: Sendable {
    /// Bounds what is read of a journal: a package of 2^24 chunks, each with a record of its own.
    static let maximumBytes = 512 << 20

    private let file: any SpoolFile
    private let lane: BlockingLane
    private let position: Mutex<Int64>

    private init(_ file: any SpoolFile, position: Int64, lane: BlockingLane) {
        self.file = file
        self.lane = lane
        self.position = Mutex(position)
    }

    /// Begins an empty journal.
    package static func create(
        _ file: any SpoolFile,
        headerSHA256: [UInt8],
        transferID: String,
        meta: [UInt8],
        on work: BlockingWork
    ) async throws -> TransferJournal {
        let lane = BlockingLane(on: work)
        try await lane.run { try file.truncate(to: 0) }
        let journal = TransferJournal(file, position: 0, lane: lane)
        try await journal.append([.header(headerSHA256: headerSHA256, transferID: transferID), .meta(meta)])
        return journal
    }

    /// Opens a journal and cuts off a torn tail.
    ///
    /// - Throws: ``MigrationTransferError/damagedJournal``, and errors of the file.
    package static func open(
        _ file: any SpoolFile,
        on work: BlockingWork
    ) async throws -> (TransferJournal, TransferProgressRecord) {
        let lane = BlockingLane(on: work)
        let record = try await lane.run {
            var bytes: [UInt8] = []
            while bytes.count < maximumBytes {
                let block = try file.read(at: Int64(bytes.count), count: 1 << 20)
                guard !block.isEmpty else { break }
                bytes += block
            }
            let record = try TransferProgressRecord(reading: bytes)
            // A record behind a torn one would never be read.
            if record.wholeBytes < bytes.count {
                try file.truncate(to: Int64(record.wholeBytes))
                try file.synchronize()
            }
            return record
        }
        return (TransferJournal(file, position: Int64(record.wholeBytes), lane: lane), record)
    }

    /// Appends records in order, and returns once they are on the disk. A failed append leaves the place where the next one begins.
    package func append(_ records: [TransferRecord]) async throws {
        let bytes = records.flatMap { $0.encoded() }
        try await lane.run { [self] in
            let start = position.withLock { $0 }
            try file.write(bytes, at: start)
            try file.synchronize()
            position.withLock { $0 = start + Int64(bytes.count) }
        }
    }
}
