import Commands
import Synchronization
import Transfers

/// Errors of a folder's items: which of them leave one item out, and which end the whole.
///
/// A full disk, a lost right and a lost computer end it: they are the next item's, too. The computer has one code for a right that was
/// taken and for a file that may not be read, so it is asked for something that needs the right; and one for a full disk and for a disk
/// that cannot be read at one place, so that many in a row end it.
final class FolderTroubles: Sendable {
    private static let rowLimit = 8

    private let inRow = Mutex(0)
    private let probe: @Sendable () async throws -> Void

    /// - Parameter probe: Throws where the right that the transfer needs is gone.
    init(probe: @escaping @Sendable () async throws -> Void) { self.probe = probe }

    /// Whether a file of the name is there, and may not be replaced.
    static func isPresence(_ error: any Error) -> Bool {
        if case FileError.exists = error { return true }
        return (error as? RemoteFailure)?.code == FailureCode.exists
    }

    /// Whether an error may be about one item alone.
    func isOfItem(_ error: any Error) -> Bool {
        switch error {
        case FileError.diskFull: false
        case is FileError: true
        case TransferError.refused(let code, _): Self.isOfItem(code)
        case TransferError.sourceChanged, TransferError.checksumMismatch, TransferError.badChunk,
            TransferError.incomplete:
            true
        case let failure as RemoteFailure: Self.isOfItem(failure.code)
        default: false
        }
    }

    private static func isOfItem(_ code: Int) -> Bool {
        switch code {
        case FailureCode.badParameters, FailureCode.internalError, FailureCode.notAllowed, FailureCode.sourceChanged,
            FailureCode.checksum, FailureCode.notFound, FailureCode.unknownTransfer:
            true
        default: false
        }
    }

    private static func code(_ error: any Error) -> Int? {
        if case TransferError.refused(let code, _) = error { return code }
        return (error as? RemoteFailure)?.code
    }

    /// Notes how an item went.
    ///
    /// - Returns: How many in a row failed at the computer for a reason that has no code of its own.
    @discardableResult
    func note(_ code: Int?) -> Int {
        inRow.withLock { count in
            count = code == FailureCode.internalError ? count + 1 : 0
            return count
        }
    }

    /// - Parameter error: One for which ``isOfItem(_:)`` is true.
    /// - Throws: `error`, or what the probe throws, where the next item would fail as well.
    func check(_ error: any Error) async throws {
        let code = Self.code(error)
        guard note(code) < Self.rowLimit else { throw error }
        if code == FailureCode.notAllowed { try await probe() }
    }
}
