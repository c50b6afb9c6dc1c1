import Foundation

/// How far tests search that end a program at each of its calls, and what they count of it.
///
/// A fixed sample is part of every run; `bin/endure-migrate --simulated` sets `TANDEM_CRASH_SEEDS` for a long search, and sums up what is told.
public enum KillPoints {
    /// How many losses of power follow each end, where a long search says so.
    public static var seeds: UInt64? {
        ProcessInfo.processInfo.environment["TANDEM_CRASH_SEEDS"].flatMap(UInt64.init)
    }

    /// Says how many ends were tried, in a long search.
    public static func tell(_ runs: Int, in test: String = #function) {
        if seeds != nil { print("kill points: \(runs) in \(test)") }
    }
}
