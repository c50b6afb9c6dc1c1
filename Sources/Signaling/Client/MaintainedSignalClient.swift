public import Foundation
public import Logging
public import Sealing
import Transport

/// A signaling client that keeps its connection and registration by itself: what a role meets a server with.
public protocol MaintainedSignalClient: SignalClient {
    /// Connects and registers in its own time, and again after each loss, until ``SignalClient/disconnect()``.
    ///
    /// - Throws: ``SignalError`` for an address that cannot be used.
    func maintain(_ url: URL, as id: String, device: SignalDevice) async throws
    /// Why the server is of no use now; nil while it is, or before that is known.
    var problem: SignalProblem? { get }
    /// Something that this server carries is waited for: the next try comes soon. Cheap, and may be called for every message.
    func hurry()
    /// The machine slept, or its network changed: looks at once whether the server is there.
    func resume()
    /// Something that this server leads to is reached another way again: as ``resume()``, and a connection over which no answer comes is given
    /// up soon.
    func overtake()
}

extension WebSocketSignalClient: MaintainedSignalClient {}

/// How a role makes its clients of signaling servers.
public struct SignalAccess: Sendable {
    /// Makes a client that is not connected yet.
    public typealias MakeClient =
        @Sendable (
            _ identity: Identity?, _ dial: WebSocketDialer?
        ) -> any MaintainedSignalClient

    /// - Parameters:
    ///   - identity: Whose keys prove the registration; nil proves nothing.
    ///   - dial: Opens the socket in another way than the system's; nil for that one.
    public let makeClient: MakeClient

    public init(makeClient: @escaping MakeClient) { self.makeClient = makeClient }
}
extension SignalAccess {
    /// Over WebSockets.
    public static func webSockets(logger: Logger) -> SignalAccess {
        SignalAccess { identity, dial in
            guard let dial else { return WebSocketSignalClient(identity: identity, logger: logger) }
            return WebSocketSignalClient(identity: identity, logger: logger, dial: dial)
        }
    }
}
