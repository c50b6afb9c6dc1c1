import Commands
import Foundation
import Kernel
import Synchronization
import Transfers

/// The phone's partial file, with what of it is on disk written down.
final class DownloadReceiver: Sendable {
    private struct State {
        var file: ArrivingFile<TransferRecord>
        /// Whether the file has its name or was discarded: nothing more is written to the journal then.
        var isOver = false
    }

    private let state: Mutex<State>
    private let part: LocalFile
    private let journal: any TransferJournal
    private let synchronization: BlockingWork
    private let batchSize: Int64

    private init(
        _ record: TransferRecord,
        part: LocalFile,
        checksumMethod: ChecksumMethod,
        holes: ByteRanges,
        journal: any TransferJournal,
        batchSize: Int64,
        synchronization: BlockingWork
    ) {
        self.synchronization = synchronization
        self.batchSize = batchSize
        let digest = FileDigest(checksumMethod, size: record.size, holes: holes)
        state = Mutex(State(file: ArrivingFile(record, digest) { try journal.save($0) }))
        self.part = part
        self.journal = journal
    }

    /// Goes on with the known part when it is of the same version and still there.
    static func open(
        _ known: TransferRecord?,
        orMaking fresh: TransferRecord,
        in folder: LocalFolder,
        checksumMethod: ChecksumMethod,
        journal: any TransferJournal,
        batchSize: Int64,
        work: BlockingWork
    ) throws -> DownloadReceiver {
        func receiver(_ record: TransferRecord, _ part: LocalFile) -> DownloadReceiver {
            DownloadReceiver(
                record,
                part: part,
                checksumMethod: checksumMethod,
                // Of a part that an earlier call left they may be stored, as zeros.
                holes: fresh.received,
                journal: journal,
                batchSize: batchSize,
                synchronization: work
            )
        }
        if let known {
            if known.version != nil, known.version == fresh.version, known.size == fresh.size {
                do {
                    let part = try folder.openPart(known.partName)
                    if try part.status().size == known.size { return receiver(known, part) }
                } catch FileError.notFound {}  // removed by the person: it begins anew
            }
            try folder.remove(known.partName)
            try journal.remove(known.id)
        }
        // Written down first: a partial file that is in no journal would stay for ever.
        try journal.save(fresh)
        do {
            // What of a new file is there before anything came are its holes.
            return receiver(fresh, try folder.makePart(fresh.partName, size: fresh.size, holes: fresh.received))
        } catch {
            try journal.remove(fresh.id)
            throw error
        }
    }

    var received: ByteRanges { state.withLock(\.file.written) }

    func take(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws {
        try state.withLock { state in
            try state.file.write(bytes, at: offset, to: part)
            beginSynchronizing(&state)
        }
    }

    /// Checks the file and gives it its name.
    ///
    /// - Parameter checksum: The desktop's; nil when it knows none.
    /// - Throws: ``TransferError/checksumMismatch``.
    func finish(checksum: String?, replacing: Bool, permissions: UInt32?, modifiedMilliseconds: Int64?) throws {
        try state.withLock { state in
            let found = try state.file.digest.finish(part, named: state.file.record.remotePath)
            guard checksum == nil || checksum == found else { throw TransferError.checksumMismatch }
            // An open file is not its name: where somebody tidied up meanwhile, the next call fetches it anew.
            guard try part.isInPlace() else {
                state.isOver = true
                try journal.remove(state.file.record.id)
                throw TransferError.unknown(id: state.file.record.id)
            }
            try state.file.settle(part)
            state.file.record.inode = try part.status().inode
            try journal.save(state.file.record)
            try part.finish(
                as: Array(state.file.record.localName),
                replacing: replacing,
                permissions: permissions,
                modifiedMilliseconds: modifiedMilliseconds
            )
            state.isOver = true
            try journal.remove(state.file.record.id)
        }
    }

    /// After an error: what arrived is kept, unless it can be of no use any more.
    func keep(after error: any Error) throws {
        try state.withLock { state in
            guard !state.isOver else { return }
            switch error.transferCode {
            case FailureCode.checksum?, FailureCode.sourceChanged?:
                state.isOver = true
                try part.discard()
                try journal.remove(state.file.record.id)
            default: try state.file.synchronize(part)
            }
        }
    }

    /// Brings what was written to the disk while more is written, once it is worth it.
    private func beginSynchronizing(_ state: inout State) {
        guard let batch = state.file.beginBatch(from: batchSize) else { return }
        let synchronizer = state.file.synchronizer
        synchronization.perform { [self] in
            let result = Result { try synchronizer.synchronize(part) }
            self.state.withLock { $0.file.end(batch, result, isOver: $0.isOver) }
        }
    }
}
