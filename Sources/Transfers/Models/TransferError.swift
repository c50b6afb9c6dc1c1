import Commands

/// Why a transfer cannot go on. The description is shown to the person.
public enum TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknown(id: String)
    /// The owner of the computer ended it there.
    case ended
    case tooMany(limit: Int)
    case badChunk(String)
    case incomplete(missing: Int64)
    case checksumMismatch
    case sourceChanged(String)
    case busy
    case refused(code: Int, reason: String)
    case malformedAnswer(method: String)
    case skipped(String)

    package var code: Int {
        switch self {
        case .unknown: FailureCode.unknownTransfer
        case .ended: FailureCode.cancelled
        case .tooMany, .busy: FailureCode.busy
        case .badChunk: FailureCode.badParameters
        case .incomplete, .malformedAnswer, .skipped: FailureCode.internalError
        case .checksumMismatch: FailureCode.checksum
        case .sourceChanged: FailureCode.sourceChanged
        case .refused(let code, _): code
        }
    }

    public var description: String {
        switch self {
        case .unknown(let id):
            "There is no transfer \(id) (any more). Begin it again: what arrived is used where it can be."
        case .ended: "This transfer was ended at the computer. Ask there before you begin it again."
        case .tooMany(let limit):
            """
            \(limit) transfers are open already. Finish or cancel one (file.listTransfers names them), then try again; a download \
            that is not asked for ends after two minutes.
            """
        case .badChunk(let reason): "A part of the file does not fit: \(reason)."
        case .incomplete(let missing): "\(missing) bytes of the file have not arrived yet. Send them, then complete it."
        case .checksumMismatch: "The file arrived damaged and was discarded. Send it again."
        case .sourceChanged(let path): "\(path) was changed meanwhile. Begin its transfer again."
        case .busy: "More was sent than the transfer's window allows. Wait for what is under way."
        case .refused(_, let reason): reason
        case .malformedAnswer(let method):
            "The computer's answer to \(method) could not be read. Update Tandem on both devices."
        case .skipped(let reason): reason
        }
    }
}

/// What a phone is told.
extension TransferError: RemoteRefusal {}
