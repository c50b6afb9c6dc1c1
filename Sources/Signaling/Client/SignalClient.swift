public import Foundation

/// A device's connection to a signaling server, through which it sends messages to any device registered there, by id.
public protocol SignalClient: AnyObject, Sendable {
    /// Connects, and returns once the socket is up, or throws when the first try failed. From then on a lost connection and its
    /// registration are renewed until ``disconnect()``.
    func connect(to url: URL) async throws
    /// Ends the connection; the registration is kept for the next one.
    func disconnect() async
    /// Disconnects and forgets server and registration. Call it before another server or id is used.
    func reset() async
    /// Registers, and returns once the server confirmed. The registration is repeated after every reconnect, always with this
    /// id, which is this device's own.
    func register(as id: String, device: SignalDevice) async throws
    /// Sends one message; relays do not say that it arrived.
    func send(_ message: SignalMessage) async throws
    /// - Throws: ``SignalError/binaryUnavailable`` when the record has to be sent as JSON.
    func sendBinary(_ frame: SignalBinaryFrame, to peer: String) async throws
    /// Asks for the devices that the server knows; they come as ``SignalEvent/peers(_:)``.
    func requestPeers() async throws
    /// Asks whether a device is there; the answer, if the server knows the question, is a ``SignalEvent/peerStatus(_:)``.
    func requestStatus(of peer: String) async throws
    /// The events from now on, except binary frames, of which there may be thousands a second. Each reader gets all of them; a
    /// reader that falls far behind loses the oldest.
    func messages() -> AsyncStream<SignalEvent>
    /// Calls `take` with every event, binary frames included, on the task that reads the socket, so that thousands a second need no
    /// task each.
    ///
    /// - Parameter take: Must return at once.
    /// - Returns: A function that ends the observation.
    func observe(_ take: @escaping @Sendable (SignalEvent) -> Void) -> @Sendable () -> Void
    /// Has the client check soon whether the server is still there, because a message over it got no answer. Returns at once.
    func checkConnection()
    /// The state now: connected, registered, or the reason why not.
    var state: SignalClientState { get }
    /// The state now, then every change.
    func states() -> AsyncStream<SignalClientState>
}

extension SignalClient {
    public func checkConnection() {}
}
