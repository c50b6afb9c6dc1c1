import Kernel

/// The days whose folders are still to be searched for files that no row names: a walk of all of them takes many sweeps.
struct UnsearchedDays {
    var days: [String] = []
    /// When the walk began.
    var listedAt: ContinuousClock.Instant?
}
