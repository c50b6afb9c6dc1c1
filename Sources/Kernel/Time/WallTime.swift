public import Foundation

extension Date {
    /// Milliseconds since 1970-01-01T00:00:00Z, the wire's unit of time.
    public var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1000).rounded(.down)) }

    public init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
