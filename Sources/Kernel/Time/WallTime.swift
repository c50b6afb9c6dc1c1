public import Foundation

extension Date {
    /// Milliseconds since 1970-01-01T00:00:00Z, the wire's unit of time. A date that does not fit is the nearest one that does: peers
    /// say any number.
    public var millisecondsSince1970: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded(.down)
        guard !milliseconds.isNaN else { return 0 }
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    public init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
