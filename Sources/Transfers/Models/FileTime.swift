/// A moment as file systems keep it, before 1970 and after 2262 too, where nanoseconds do not fit into 64 bits.
package struct FileTime: Hashable, Sendable {
    /// Since 1970-01-01T00:00:00Z, rounded down: negative before.
    package var seconds: Int64
    /// After ``seconds``, 0 to 999,999,999.
    package var nanoseconds: Int64

    package init(seconds: Int64, nanoseconds: Int64 = 0) {
        self.seconds = seconds
        // A file system may hold any number here.
        self.nanoseconds = min(max(0, nanoseconds), 999_999_999)
    }

    package init(milliseconds: Int64) {
        let rest = milliseconds % 1000
        seconds = milliseconds / 1000 - (rest < 0 ? 1 : 0)
        nanoseconds = (rest < 0 ? rest + 1000 : rest) * 1_000_000
    }

    /// Since 1970-01-01T00:00:00Z, rounded down; what does not fit becomes the nearest that does.
    package var milliseconds: Int64 {
        let whole = seconds.multipliedReportingOverflow(by: 1000)
        guard !whole.overflow else { return seconds < 0 ? .min : .max }
        let sum = whole.partialValue.addingReportingOverflow(nanoseconds / 1_000_000)
        return sum.overflow ? .max : sum.partialValue
    }

    /// Another text for another moment: nanoseconds where they fit, as journals have them that are kept.
    package var text: String {
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(nanoseconds)
        guard !whole.overflow, !sum.overflow else { return "\(String(seconds, radix: 36)).\(nanoseconds)" }
        return String(sum.partialValue, radix: 36)
    }
}
