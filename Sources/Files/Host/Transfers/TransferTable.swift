import Synchronization
import Transfers

/// The transfers of one direction by their ids. An actor changes it; threads of direct connections look into it without a turn of that
/// actor, for which they would have to stand still.
final class TransferTable<Transfer: Sendable>: Sendable {
    private struct State {
        var open: [TransferID: Transfer]
        var ended = EndedTransfers()
    }

    private let state: Mutex<State>

    init(_ open: [TransferID: Transfer] = [:]) { state = Mutex(State(open: open)) }

    var open: [TransferID: Transfer] {
        get { state.withLock(\.open) }
        set { state.withLock { $0.open = newValue } }
    }

    /// The owner of the computer ended it.
    func noteEnd(of id: TransferID) { state.withLock { $0.ended.add(id) } }

    /// - Returns: Nil where there is none.
    /// - Throws: ``TransferError/ended``.
    func transfer(_ id: TransferID) throws(TransferError) -> Transfer? {
        let found = state.withLock { state -> Result<Transfer?, TransferError> in
            do throws(TransferError) {
                try state.ended.check(id)
                return .success(state.open[id])
            } catch {
                return .failure(error)
            }
        }
        return try found.get()
    }
}
