import Commands
import Foundation
import Kernel
import Synchronization
import Transfers

/// The phone's partial file, with what of it is on disk written down.
final class DownloadReceiver: Sendable {
    private struct State {
        var record: TransferRecord
        var progress: PartProgress
        /// Whether the file has its name or was discarded: nothing more is written to the journal then.
        var isOver = false
        var digest: FileDigest
    }

    private let state: Mutex<State>
    private let part: LocalFile
    private let journal: any TransferJournal
    private let synchronizer = PartSynchronizer()
    private let synchronization: BlockingWork
    private let batchSize: Int64

    private init(
        _ record: TransferRecord,
        part: LocalFile,
        checksumMethod: ChecksumMethod,
        journal: any TransferJournal,
        batchSize: Int64,
        synchronization: BlockingWork
    ) {
        self.synchronization = synchronization
        self.batchSize = batchSize
        let digest = FileDigest(checksumMethod, size: record.size)
        state = Mutex(State(record: record, progress: PartProgress(received: record.received), digest: digest))
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
            return receiver(fresh, try folder.makePart(fresh.partName, size: fresh.size))
        } catch {
            try journal.remove(fresh.id)
            throw error
        }
    }

    var received: ByteRanges { state.withLock(\.progress.written) }

    func take(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws {
        try state.withLock { state in
            if let failure = state.progress.failure { throw failure }
            try part.write(bytes, at: offset)
            try state.digest.take(bytes, at: offset)
            state.progress.insert(offset..<offset + Int64(bytes.count))
            try state.digest.catchUp(part, to: state.progress.written.end)
            beginSynchronizing(&state)
        }
    }

    /// Checks the file and gives it its name.
    ///
    /// - Parameter checksum: The desktop's; nil when it knows none.
    /// - Throws: ``TransferError/checksumMismatch``.
    func finish(checksum: String?, replacing: Bool, permissions: UInt32?, modifiedMilliseconds: Int64?) throws {
        try state.withLock { state in
            let found = try state.digest.finish(part, named: state.record.remotePath)
            guard checksum == nil || checksum == found else { throw TransferError.checksumMismatch }
            // An open file is not its name: where somebody tidied up meanwhile, the next call fetches it anew.
            guard try part.isInPlace() else {
                state.isOver = true
                try journal.remove(state.record.id)
                throw TransferError.unknown(id: state.record.id)
            }
            // Also where nothing new was written: what a call beside us found out is asked for here.
            try synchronizer.synchronize(part)
            // Noted together with what comes now: one commit, and not two.
            state.progress.noteSynchronized()
            state.record.received = state.progress.written
            state.record.inode = try part.status().inode
            try journal.save(state.record)
            try part.finish(
                as: Array(state.record.localName),
                replacing: replacing,
                permissions: permissions,
                modifiedMilliseconds: modifiedMilliseconds
            )
            state.isOver = true
            try journal.remove(state.record.id)
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
                try journal.remove(state.record.id)
            default: try synchronize(&state)
            }
        }
    }

    /// Brings what was written to the disk while more is written, once it is worth it.
    private func beginSynchronizing(_ state: inout State) {
        guard let batch = state.progress.beginBatch(from: batchSize) else { return }
        synchronization.perform { [self] in
            let result = Result { try synchronizer.synchronize(part) }
            self.state.withLock { synchronized(&$0, batch, result) }
        }
    }

    private func synchronized(_ state: inout State, _ batch: PartProgress.Batch, _ result: Result<Void, any Error>) {
        state.progress.endBatch()
        guard !state.isOver else { return }
        do {
            try result.get()
            state.record.received.formUnion(batch.written)
            try journal.save(state.record)
        } catch {
            state.progress.fail(batch, error)
        }
    }

    private func synchronize(_ state: inout State) throws {
        guard state.progress.isBehind else { return }
        try synchronizer.synchronize(part)
        state.progress.noteSynchronized()
        state.record.received = state.progress.written
        try journal.save(state.record)
    }
}
