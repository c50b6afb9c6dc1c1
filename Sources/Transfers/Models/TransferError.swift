/// Why a transfer cannot go on. The description is shown to the person.
public enum TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// -32020: no such transfer, or none any more.
    case unknown(id: String)
    /// The owner of the computer ended it there.
    case ended
    /// -32005: the phone has as many transfers as it may.
    case tooMany(limit: Int)
    /// -32602: a part lies outside of the file, or came after it was complete. The text says which.
    case badChunk(String)
    /// An upload was completed although so many bytes are missing.
    case incomplete(missing: Int64)
    /// -32022: the file is not what was sent, and was thrown away.
    case checksumMismatch
    /// -32021: the file at this path is another version than the transfer began with.
    case sourceChanged(String)
    /// -32005: the same file is on its way already, or more is unanswered than the window allows.
    case busy
    /// The code and the sentence with which the computer refused a frame. Source: `docs/protocol.md`, "Frames".
    case refused(code: Int, reason: String)
    /// The computer's answer to this method cannot be right, or cannot be read.
    case malformedAnswer(method: String)

    public var description: String {
        switch self {
        case .unknown(let id):
            "There is no transfer \(id) (any more). Begin it again: what arrived is used where it can be."
        case .ended: "This transfer was ended at the computer. Ask there before you begin it again."
        case .tooMany(let limit):
            """
            \(limit) transfers are open already. Finish or cancel one (file.listTransfers names them), then try again; a download \
            that is not asked for ends after two minutes, and an upload that nothing is sent to stops counting after one.
            """
        case .badChunk(let reason): "A part of the file does not fit: \(reason)."
        case .incomplete(let missing): "\(missing) bytes of the file have not arrived yet. Send them, then complete it."
        case .checksumMismatch: "The file arrived damaged and was discarded. Send it again."
        case .sourceChanged(let path): "\(path) was changed meanwhile. Begin its transfer again."
        case .busy: "More was sent than the transfer's window allows. Wait for what is under way."
        case .refused(_, let reason): reason
        case .malformedAnswer(let method):
            "The computer's answer to \(method) could not be read. Update Tandem on both devices."
        }
    }
}
