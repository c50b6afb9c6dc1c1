import DequeModule
import Transfers

/// Transfers that the owner of the computer ended. Their phone is told so: an unknown transfer, as after a restart of the computer, it
/// would begin again.
struct EndedTransfers {
    private static let limit = 256

    private var ids: Deque<TransferID> = []

    mutating func add(_ id: TransferID) {
        if ids.count == Self.limit { ids.removeFirst() }
        ids.append(id)
    }

    /// - Throws: ``TransferError/ended``.
    func check(_ id: TransferID) throws(TransferError) {
        if ids.contains(id) { throw .ended }
    }
}
