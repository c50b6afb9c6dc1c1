/// A command as it was queued, and the one that it drove out of a full queue.
public struct QueuedCommand: Hashable, Sendable {
    /// The command as it is kept: under the id of an earlier one that it joined, where it did.
    public let command: OfflineCommand
    /// Will not be delivered any more: the person has to be told.
    public let evicted: OfflineCommand?
}
