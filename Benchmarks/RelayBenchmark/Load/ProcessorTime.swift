import Glibc

/// What this process itself has used, to see that the load is not what is measured.
enum ProcessorTime {
    static func ownSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
