public import Foundation
public import Logging
public import Sealing
import Transport

/// A signaling client that keeps its connection and registration by itself; roles use it to meet a server.
public protocol MaintainedSignalClient: SignalClient {
    /// Connects and registers in the background, and again after each loss, until ``SignalClient/disconnect()``.
    ///
    /// - Throws: ``SignalError`` for an address that cannot be used.
    func maintain(_ url: URL, as id: String, device: SignalDevice) async throws
    /// The reason why the server cannot be used now; nil while it can, or before that is known.
    var problem: SignalProblem? { get }
    /// The server's address in numbers, while there is a connection to it: where its name led. Nil where that is not known.
    var serverAddress: String? { get }
    /// Makes the next try come soon, because a caller waits for something over this server. Cheap: it may be called for every message.
    func hurry()
    /// Checks at once whether the server is there, because the machine slept or its network changed.
    func resume()
    /// Like ``resume()``, but gives up soon a connection over which no answer comes: a device behind this server is reached another
    /// way again.
    func overtake()
}

extension MaintainedSignalClient {
    public var serverAddress: String? { nil }
}

extension WebSocketSignalClient: MaintainedSignalClient {}

/// The factory for a role's clients of signaling servers.
public struct SignalAccess: Sendable {
    /// Makes a client that is not connected yet.
    public typealias MakeClient =
        @Sendable (
            _ identity: Identity?, _ dial: WebSocketDialer?
        ) -> any MaintainedSignalClient

    /// - Parameters:
    ///   - identity: The identity whose keys prove the registration; nil registers without a proof.
    ///   - dial: Opens the socket; nil for the system's way.
    public let makeClient: MakeClient

    public init(makeClient: @escaping MakeClient) { self.makeClient = makeClient }
}
extension SignalAccess {
    /// The access over WebSockets.
    public static func webSockets(logger: Logger) -> SignalAccess {
        SignalAccess { identity, dial in
            guard let dial else { return WebSocketSignalClient(identity: identity, logger: logger) }
            return WebSocketSignalClient(identity: identity, logger: logger, dial: dial)
        }
    }
}
