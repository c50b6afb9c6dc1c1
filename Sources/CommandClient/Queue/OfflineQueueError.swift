public import Foundation

/// Why a command was not queued, or not found in the queue. The description is shown to the person.
public enum OfflineQueueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It reads something, or belongs to a moment.
    case notQueueable(method: String)
    /// Its parameters as JSON text, in bytes.
    case tooLarge(bytes: Int, limit: Int)
    /// It was delivered or removed meanwhile, or had to make room.
    case unknownCommand(UUID)

    public var description: String {
        switch self {
        case .notQueueable(let method):
            "\(method) cannot wait for the computer: only commands that change something can. Call it while the "
                + "computer is connected."
        case .tooLarge(let bytes, let limit):
            "The parameters are \(bytes) bytes; a command that waits may have \(limit). Send it while the computer is "
                + "connected."
        case .unknownCommand(let id):
            "No waiting command has the id \(OfflineCommand.text(of: id)). It may have been delivered. See: tandem queue list"
        }
    }
}
