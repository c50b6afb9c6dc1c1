/// Parts of steps that add up, for systems that know whole ones only.
struct WheelSteps: Hashable, Sendable {
    private var rest = 0.0

    /// - Returns: The whole steps that are due; what is left is added to the next one.
    mutating func take(_ amount: Double) -> Int {
        // A turn the other way is seen at once.
        if rest * amount < 0 { rest = 0 }
        rest += amount
        let whole = rest.rounded(.towardZero)
        rest -= whole
        return Int(whole)
    }
}
