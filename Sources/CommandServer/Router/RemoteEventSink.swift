package import Commands

/// Where a skill tells what happened: to one paired device.
package protocol RemoteEventSink: Sendable {
    /// Returns once the event is on its way; waits while the device takes no more.
    ///
    /// - Parameter device: A ``Caller/id``.
    /// - Throws: ``RemoteError/notConnected`` when the device is not here, or may not be told that (any more): events do not wait
    ///   for it.
    func send(_ event: RemoteEvent, to device: String) async throws
}
