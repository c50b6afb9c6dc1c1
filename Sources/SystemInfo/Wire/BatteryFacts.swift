public struct BatteryFacts: Hashable, Sendable {
    public var name: String
    /// 0 to 100.
    public var percent: Int
    public var state: BatteryState
    /// Until it is empty, or full.
    public var secondsLeft: Int?

    public init(name: String, percent: Int, state: BatteryState, secondsLeft: Int?) {
        self.name = name
        self.percent = percent
        self.state = state
        self.secondsLeft = secondsLeft
    }
}
