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
        /// What arrives apart from the exchange, between its two requests; nil where contents are within.
        var bundle: ArrivingBundle?
        let earlyEnd = EarlyEnd()
    }

    private let time: any TimeSource
    private let running = Mutex<[TransferID: Batch]>([:])

    init(time: any TimeSource) {
        self.time = time
    }

    var all: [Batch] {
        expire()
        return running.withLock { Array($0.values) }
    }

    func count(of caller: String) -> Int {
        expire()
        return running.withLock { $0.values.count { $0.caller == caller } }
    }

    /// Forgets what nothing came for any more.
    func expire() {
        let oldest = time.now - TransferLimits.uploadIdleness
        running.withLock { running in
            running = running.filter { $0.value.bundle.map { $0.touchedAt >= oldest } ?? true }
        }
    }

    /// What a phone sends apart from its exchange.
    ///
    /// - Returns: Nil where there is none of this caller: who asks learns nothing of others'.
    /// - Throws: ``TransferError/ended``.
    func arriving(_ id: TransferID, of caller: String) throws(TransferError) -> (batch: Batch, bundle: ArrivingBundle)?
    {
        guard let batch = running.withLock({ $0[id] }), batch.caller == caller, let bundle = batch.bundle else {
            return nil
        }
        do { try batch.earlyEnd.check() } catch { throw .ended }
        return (batch, bundle)
    }

    /// Takes a part of such a body.
    ///
    /// - Returns: False where there is none of this caller.
    func write(_ part: ArraySlice<UInt8>, at offset: Int64, of id: TransferID, by caller: String) throws(TransferError)
        -> Bool
    {
        guard let arriving = try arriving(id, of: caller) else { return false }
        try arriving.bundle.write(part, at: offset, now: time.now)
        return true
    }

    /// - Parameter others: The caller's transfers of single files.
    /// - Throws: ``TransferError/tooMany(limit:)``.
    func begin(_ batch: Batch, others: Int) throws(TransferError) {
        expire()
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
            // No call stands behind it that would remove it.
            if batch.bundle != nil { remove(batch) }
        }
    }
}
