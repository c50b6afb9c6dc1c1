package struct BatteryFacts: Hashable, Sendable {
    package var name: String
    /// 0 to 100.
    package var percent: Int
    package var state: BatteryState
    /// Until it is empty, or full.
    package var secondsLeft: Int?

    package init(name: String, percent: Int, state: BatteryState, secondsLeft: Int?) {
        self.name = name
        self.percent = percent
        self.state = state
        self.secondsLeft = secondsLeft
    }
}
