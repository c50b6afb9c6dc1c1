#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The processor's time, which stands while a thread waits.
package enum ProcessorTime {
    /// The time that the calling thread has used since it began. Comparable only on one thread, so never across an `await`.
    package static var ofThread: Duration {
        var time = timespec()
        // It fails for clocks that a system does not have, and every system that this is built for has this one.
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
