import Kernel

/// The processor's time that reading one file may take. A file is opened, read and left on one thread, whose time is counted: so neither a
/// busy machine nor a slow disk uses it up.
struct ReadingBudget {
    /// The budget of one opening. Reading the 64 MiB of a page takes less than a second.
    static let standard = Duration.seconds(20)

    private let end: Duration

    /// - Parameter time: From now on, of the thread that asks.
    init(_ time: Duration = standard) { end = ProcessorTime.ofThread + time }

    /// - Throws: `tooCostly` once it is used up.
    func check(_ path: String) throws(AgentHistoryError) {
        guard ProcessorTime.ofThread < end else { throw .tooCostly(path: path) }
    }
}
