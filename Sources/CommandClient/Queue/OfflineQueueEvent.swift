public import Kernel

/// An event of a command that waited.
public enum OfflineQueueEvent: Hashable, Sendable {
    /// It waits now: it is new, or the person wants it tried again.
    case queued(OfflineCommand)
    /// The computer did it and gave this result. The command is out of the queue.
    case delivered(OfflineCommand, result: JSONValue)
    /// It is not tried any more; the command says why.
    case failed(OfflineCommand)
    /// It had to make room for a newer one.
    case evicted(OfflineCommand)
    /// The person took it out.
    case removed(OfflineCommand)
}
