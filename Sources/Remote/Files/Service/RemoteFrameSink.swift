/// Where a skill sends binary messages: to one paired device.
public protocol RemoteFrameSink: Sendable {
    /// Returns once the message is on its way; waits while the device takes no more.
    ///
    /// - Parameter device: A ``Caller/id``.
    /// - Throws: ``RemoteError/notConnected`` when the device is not here: frames do not wait for it.
    func send(_ bytes: [UInt8], to device: String) async throws
}
