import Kernel
import Synchronization

/// Keeps a request's limits of time.
public final class WebWatch: Sendable {
    private let origin: String
    private let timeouts: WebTimeouts
    private let time: any TimeSource
    private let end: ContinuousClock.Instant
    /// Since when the server has been waited for; nil while it is the asker's turn.
    private let waitingSince: Mutex<ContinuousClock.Instant?>

    /// It is the server's turn from now on.
    init(_ request: WebRequest, on time: any TimeSource) {
        origin = request.url.origin
        timeouts = request.timeouts
        self.time = time
        let now = time.now
        end = now + request.timeouts.whole
        waitingSince = Mutex(now)
    }

    /// The server showed a sign, or its turn begins.
    public func waits() {
        let now = time.now
        waitingSince.withLock { $0 = now }
    }

    /// The asker has what it waited for, and takes its time.
    public func rests() {
        waitingSince.withLock { $0 = nil }
    }

    /// Returns never: it throws when the time is over, or when its task is cancelled.
    func keep() async throws {
        while true {
            let now = time.now
            if now >= end { throw WebClientError.timedOut(origin: origin, .answer, after: timeouts.whole) }
            let since = waitingSince.withLock { $0 }
            let idleEnd = (since ?? now) + timeouts.idle
            if since != nil, now >= idleEnd {
                throw WebClientError.timedOut(origin: origin, .sign, after: timeouts.idle)
            }
            try await time.sleep(until: min(end, idleEnd), tolerance: nil)
        }
    }
}
