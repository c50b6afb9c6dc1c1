public import Foundation
public import Transport

/// The part of a WebSocket that a signaling client needs: Transport's WebSocket on every system, another in tests.
public protocol WebSocketChannel: AnyObject, Sendable {
    /// The authority that was dialled, as in the HTTP `Host` header.
    var host: String { get }
    /// SHA-256 of the server's certificate, DER; nil without TLS.
    var certificateHash: [UInt8]? { get }
    /// The server's address in numbers, to which this is connected; nil where this system does not tell.
    var remoteAddress: String? { get }
    /// Sends a message, and returns once the connection has taken it; throws when the connection is over.
    func send(text: String) async throws
    /// Sends one message that consists of two parts.
    func send(binary head: [UInt8], _ body: ArraySlice<UInt8>) async throws
    /// Sends a ping, and returns when its pong came.
    func ping() async throws
    /// Calls `body` with every message in order, and returns when the connection is over. Call once.
    func readMessages(_ body: @Sendable (WebSocketMessage) async -> Void) async
    /// How the connection ended; nil while it is open.
    var closure: WebSocketClosure? { get }
    /// Closes with a handshake, and returns when the connection is over.
    func close() async
    /// The time since the other end's system last acknowledged data; nil where this system does not tell.
    func acknowledgementAge() async -> Duration?
    /// The number of retransmissions in a row that the other end's system did not acknowledge; 0 where this system does not tell.
    func retransmissions() async -> Int
    /// Ends the connection without a close handshake, for a peer that is gone.
    func abort()
}

extension WebSocketChannel {
    public func acknowledgementAge() async -> Duration? { nil }
    public func retransmissions() async -> Int { 0 }
    public var certificateHash: [UInt8]? { nil }
    public var remoteAddress: String? { nil }
}

/// Opens a channel, or throws.
public typealias WebSocketDialer = @Sendable (URL) async throws -> any WebSocketChannel

extension WebSocketConnection: WebSocketChannel {
    public func readMessages(_ body: @Sendable (WebSocketMessage) async -> Void) async {
        for await message in messages { await body(message) }
    }

    public func close() async { await close(.normal, reason: "") }
}
