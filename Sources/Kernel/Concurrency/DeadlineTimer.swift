/// One sleeping task for many deadlines: it sleeps until the earliest. When it rings, the actor that keeps it checks all of its deadlines
/// and sets it to the next.
public struct DeadlineTimer: Sendable {
    private var sleep: (task: Task<Void, Never>, deadline: ContinuousClock.Instant)?

    public init() {}

    /// Calls `ring` with `deadline` once it has come. If an earlier one is set, that one rings instead, which costs one check.
    public mutating func set(
        to deadline: ContinuousClock.Instant,
        on time: any TimeSource,
        ring: @escaping @Sendable (ContinuousClock.Instant) async -> Void
    ) {
        if let sleep, sleep.deadline <= deadline { return }
        sleep?.task.cancel()
        let task = Task {
            // Cancelled: an earlier one is set, or none.
            guard (try? await time.sleep(until: deadline, tolerance: nil)) != nil else { return }
            await ring(deadline)
        }
        sleep = (task, deadline)
    }

    /// - Returns: Whether `deadline` is the one that was set last; the timer is free from then on.
    public mutating func rang(_ deadline: ContinuousClock.Instant) -> Bool {
        guard sleep?.deadline == deadline else { return false }
        sleep = nil
        return true
    }

    /// Cancels the deadline that was set.
    public mutating func cancel() {
        sleep?.task.cancel()
        sleep = nil
    }
}
