public import Foundation
public import Transport

/// What a signaling client needs of a WebSocket: Transport's on every system, another in tests.
public protocol WebSocketChannel: AnyObject, Sendable {
    /// The authority that was dialled, as in the HTTP `Host` header.
    var host: String { get }
    /// SHA-256 of the server's certificate, DER; nil without TLS.
    var certificateHash: [UInt8]? { get }
    /// Returns once the connection has taken the message; throws when the connection is over.
    func send(text: String) async throws
    /// One message of two parts.
    func send(binary head: [UInt8], _ body: ArraySlice<UInt8>) async throws
    /// Returns when the pong came.
    func ping() async throws
    /// Hands over every message in order and returns when the connection is over. To be called once.
    func readMessages(_ body: @Sendable (WebSocketMessage) async -> Void) async
    /// How the connection ended; nil while it is open.
    var closure: WebSocketClosure? { get }
    /// Closes with a handshake, and returns when the connection is over.
    func close() async
    /// How long ago the other end's system last took something that was sent; nil where the system does not say.
    func acknowledgementAge() async -> Duration?
    /// How often in a row this system sent something again that the other end's did not take; 0 where it does not say.
    func retransmissions() async -> Int
    /// Ends the connection without a close handshake, for a peer that is not there any more.
    func abort()
}

extension WebSocketChannel {
    public func acknowledgementAge() async -> Duration? { nil }
    public func retransmissions() async -> Int { 0 }
    public var certificateHash: [UInt8]? { nil }
}

/// Opens a channel, or throws.
public typealias WebSocketDialer = @Sendable (URL) async throws -> any WebSocketChannel

extension WebSocketConnection: WebSocketChannel {
    public func readMessages(_ body: @Sendable (WebSocketMessage) async -> Void) async {
        for await message in messages { await body(message) }
    }

    public func close() async { await close(.normal, reason: "") }
}
