package import Transfers

/// Where a skill sends binary messages: to one paired device.
package protocol RemoteFrameSink: Sendable {
    /// Returns once the message is on its way; waits while the device takes no more.
    ///
    /// - Parameter device: A ``Caller/id``.
    /// - Throws: ``RemoteError/notConnected`` when the device is not here, or may not have that (any more): frames do not wait for
    ///   it.
    func send(_ frame: TransferFrame, to device: String) async throws
}
