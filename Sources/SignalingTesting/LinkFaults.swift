/// What goes wrong on an in-memory link, each with a probability from 0 to 1.
public struct LinkFaults: Hashable, Sendable {
    /// That a frame is lost.
    public var drop: Double
    /// That a frame arrives twice.
    public var duplicate: Double
    /// That a frame waits until the one after it has gone.
    public var reorder: Double

    public init(drop: Double = 0, duplicate: Double = 0, reorder: Double = 0) {
        self.drop = drop
        self.duplicate = duplicate
        self.reorder = reorder
    }

    /// Every frame arrives, once and in order.
    public static let none = LinkFaults()
}
