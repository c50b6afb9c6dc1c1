/// A clock's time, counted from when this was made: instants of a clock of unknown type could not be compared.
public struct ElapsedTime: Sendable {
    /// Since this was made.
    public let now: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    public init(_ clock: any Clock<Duration>) {
        func counted<Known: Clock>(_ clock: Known) -> ElapsedTime where Known.Duration == Duration {
            let start = clock.now
            return ElapsedTime(
                now: { start.duration(to: clock.now) },
                sleepUntil: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
            )
        }
        self = counted(clock)
    }

    private init(
        now: @escaping @Sendable () -> Duration,
        sleepUntil: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleepUntil = sleepUntil
    }

    /// - Throws: `CancellationError`.
    public func sleep(until time: Duration) async throws { try await sleepUntil(time) }
}
