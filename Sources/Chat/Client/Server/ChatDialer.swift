import Chat
public import Foundation
public import Transport

/// Opens a hub's socket: a seam, for apps with certificates of their own and for tests.
///
/// - Parameters:
///   - url: With `ws` or `wss`, the path and the query.
///   - token: The access token, for the field `Authorization`.
/// - Throws: `WebSocketError`, `CancellationError`.
public typealias ChatDialer = @Sendable (_ url: URL, _ token: String) async throws -> any WebSocketPeer

/// Dials hubs over sockets.
public enum ChatDialing {
    /// Without a sign of life for so long the other end is asked for one. Many routers forget a connection that is silent for a minute.
    public static let keepAliveInterval = Duration.seconds(25)

    /// - Parameter trust: Whom a connection over TLS believes.
    public static func dialer(trust: WebSocketTrust = .system) -> ChatDialer {
        { url, token in
            var configuration = WebSocketConfiguration()
            configuration.maximumMessageBytes = ChatLimits.ownFrame
            // The reader takes what comes as fast as the repository does; the rest waits at the hub.
            configuration.bufferedMessages = 16
            configuration.bufferedBytes = 1 << 20
            configuration.keepAliveInterval = keepAliveInterval
            configuration.trust = trust
            return try await WebSocketConnection.connect(
                to: url,
                headers: [(name: "Authorization", value: "Bearer \(token)")],
                configuration: configuration
            )
        }
    }
}
