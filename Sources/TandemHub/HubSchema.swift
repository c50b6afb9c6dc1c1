import SignalingServer
package import Storage

extension Schema {
    /// The tables of a hub.
    package static let hub = Schema("hub", [SignalingDatabase.migrations, PageSessions.migrations])
}
