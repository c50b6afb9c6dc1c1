public import Foundation

/// A device's connection to a signaling server: every device registered there can be written to by id.
public protocol SignalClient: AnyObject, Sendable {
    /// Returns once the socket is up, or throws when the first try failed. From then on a lost connection is made again,
    /// and the registration with it, until ``disconnect()``.
    func connect(to url: URL) async throws
    /// Ends the connection; the registration is kept for the next one.
    func disconnect() async
    /// Disconnects and forgets server and registration. To be called before another server or id is used.
    func reset() async
    /// Returns once the server confirmed. Repeated by itself after every reconnect, always with this id, which is this
    /// device's own.
    func register(as id: String, device: SignalDevice) async throws
    /// Sends one message; relays do not say that it arrived.
    func send(_ message: SignalMessage) async throws
    /// - Throws: ``SignalError/binaryUnavailable`` when it has to go as JSON.
    func sendBinary(_ frame: SignalBinaryFrame, to peer: String) async throws
    /// Asks for the devices that the server knows; they come as ``SignalEvent/peers(_:)``.
    func requestPeers() async throws
    /// Asks whether a device is there; the answer, if the server knows the question, is a ``SignalEvent/peerStatus(_:)``.
    func requestStatus(of peer: String) async throws
    /// Everything that arrives from now on: each reader gets all of it. A reader that falls far behind loses the oldest.
    /// But no binary frames, of which there may be thousands in a second.
    func messages() -> AsyncStream<SignalEvent>
    /// Hands over the same, and the binary frames, in the turn of what reads the socket: thousands in a second need no task each.
    ///
    /// - Parameter take: Returns at once.
    /// - Returns: Ends it.
    func observe(_ take: @escaping @Sendable (SignalEvent) -> Void) -> @Sendable () -> Void
    /// Looks soon whether the server is still there, because something that it carries got no answer. Returns at once.
    func checkConnection()
    /// Connected, registered, or why not.
    var state: SignalClientState { get }
    /// The state now and every change.
    func states() -> AsyncStream<SignalClientState>
}

extension SignalClient {
    public func checkConnection() {}
}
