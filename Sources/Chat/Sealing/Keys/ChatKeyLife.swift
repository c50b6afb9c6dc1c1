/// How long chat keys are used and kept, in milliseconds.
public enum ChatKeyLife {
    private static let day: Int64 = 86_400_000

    /// Between two keys of a device.
    public static let interval = 7 * day
    /// A key is sealed for until then: what comes between a successor's making and its arrival everywhere.
    public static let use = 10 * day
    /// The private half is kept for what was sent until so long after its successor was published.
    public static let overlap = 7 * day
    /// The private half is deleted at the latest.
    public static let longest = 90 * day
    /// What the clock of another device may be off.
    public static let skew = day

    /// Whether a device makes a new key.
    ///
    /// - Parameter made: When its newest was made; nil for none.
    public static func isDue(newest made: Int64?, at now: Int64) -> Bool {
        guard let made else { return true }
        // A clock that was set back makes no key last longer.
        return now - made >= interval || now < made - skew
    }

    /// Whether a private half is to be deleted.
    ///
    /// - Parameters:
    ///   - succeeded: When its successor was published; nil while it is the newest.
    ///   - fetched: Everything that was sent up to then was fetched, by the hub's clock.
    public static func isOver(made: Int64, succeeded: Int64?, fetched: Int64, at now: Int64) -> Bool {
        if now - made >= longest { return true }
        guard let succeeded else { return false }
        return fetched >= succeeded + overlap
    }
}
