/// How far a migration has come and how long it still takes, over all of its stages: so it does not stand at 99 % while the last ones run.
public struct TransferProgress: Hashable, Sendable {
    public var stage: TransferStage
    /// Bytes of this stage that are done; of sending, those that are durable on the new phone.
    public var doneBytes: Int64
    public var totalBytes: Int64
    /// Of all stages together, 0 to 1. It is 1 only when the new phone has said that it is done.
    public var fraction: Double
    /// Of all stages together; nil until a rate is known.
    public var timeLeft: Duration?
}
