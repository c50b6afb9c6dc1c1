import Foundation
import Kernel
import Synchronization
import Transfers

/// Exchanges of many small files that are under way. Each counts as one of its device's transfers, and ends with its right.
final class ActiveBatches: Sendable {
    struct Batch: Sendable {
        let id = TransferID()
        let caller: String
        let direction: TransferDirection
        /// The folder's path, for the person.
        let path: String
        let beganAt: Date
        let earlyEnd = EarlyEnd()
    }

    private let running = Mutex<[TransferID: Batch]>([:])

    var all: [Batch] { running.withLock { Array($0.values) } }

    func count(of caller: String) -> Int { running.withLock { $0.values.count { $0.caller == caller } } }

    /// - Parameter others: The caller's transfers of single files.
    /// - Throws: ``TransferError/tooMany(limit:)``.
    func begin(_ batch: Batch, others: Int) throws(TransferError) {
        let hasRoom = running.withLock { running in
            guard running.values.count(where: { $0.caller == batch.caller }) + others < TransferLimits.perCaller else {
                return false
            }
            running[batch.id] = batch
            return true
        }
        guard hasRoom else { throw .tooMany(limit: TransferLimits.perCaller) }
    }

    func remove(_ batch: Batch) { running.withLock { $0[batch.id] = nil } }

    /// Ends one of any caller, which is told so.
    ///
    /// - Returns: Whether it was there.
    func end(_ id: TransferID) -> Bool {
        guard let batch = running.withLock({ $0[id] }) else { return false }
        batch.earlyEnd.end(TransferError.ended)
        return true
    }

    func endAll(_ direction: TransferDirection, of caller: String) {
        for batch in all where batch.caller == caller && batch.direction == direction {
            batch.earlyEnd.end(CancellationError())
        }
    }
}
