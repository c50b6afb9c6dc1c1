/// The probabilities of faults on an in-memory link, each from 0 to 1.
public struct LinkFaults: Hashable, Sendable {
    /// The probability that a frame is lost.
    public var drop: Double
    /// The probability that a frame arrives twice.
    public var duplicate: Double
    /// The probability that a frame waits until the one after it has gone.
    public var reorder: Double

    public init(drop: Double = 0, duplicate: Double = 0, reorder: Double = 0) {
        self.drop = drop
        self.duplicate = duplicate
        self.reorder = reorder
    }

    /// No faults: every frame arrives once and in order.
    public static let none = LinkFaults()
}
