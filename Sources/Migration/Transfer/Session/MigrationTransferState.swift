/// What a person is shown of a transfer, on either phone.
public struct MigrationTransferState: Hashable, Sendable {
    public enum Step: Hashable, Sendable {
        /// No proven link was there yet.
        case connecting
        /// The old phone reads its data.
        case preparing
        /// The new phone's person has to agree.
        case deciding
        case transferring
        /// All of the package is on the new phone, which opens and restores it.
        case restoring
        case ended(TransferEnd)
    }

    public var step = Step.connecting
    public var hold = TransferHold()
    /// Whether there is a link to the proven peer at the moment.
    public var isLinked = false
    /// What keeps the links from working, while there is none.
    public var trouble: MigrationTransferError?
    /// The name that the peer gives itself, at most 64 characters; nil before it was proven.
    public var peerName: String?
    public var progress = ProgressEstimate().progress

    public init() {}
}
