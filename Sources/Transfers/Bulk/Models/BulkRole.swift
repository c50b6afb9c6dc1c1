/// Which end of a bulk connection a device is; it decides which key it sends with.
package enum BulkRole: String, Sendable {
    /// Opened the connection.
    case dialer
    /// Accepted it.
    case listener

    package var other: BulkRole { self == .dialer ? .listener : .dialer }
}
