/// One battery of the computer.
public struct BatteryFacts: Hashable, Sendable {
    /// The system's name of it, for example `BAT0`; empty from programs that do not say.
    public var name: String
    /// 0 to 100.
    public var percent: Int
    /// Whether it fills or empties now.
    public var state: BatteryState
    /// Seconds until it is empty, or full.
    public var secondsLeft: Int?

    public init(name: String, percent: Int, state: BatteryState, secondsLeft: Int?) {
        self.name = name
        self.percent = percent
        self.state = state
        self.secondsLeft = secondsLeft
    }
}
