import Foundation
import Signaling
import SignalingServer
import Transport

/// Opens this computer's connections to its own server. That one's certificate names the host that phones dial and not 127.0.0.1,
/// so what is checked is that it is the very certificate in use.
struct OwnServerDialer: Sendable {
    let server: any OwnServer

    func dial(_ url: URL) async throws -> any WebSocketChannel {
        var configuration = WebSocketConfiguration()
        if let hash = server.certificateHash { configuration.trust = .certificate(sha256: hash) }
        return try await WebSocketConnection.connect(to: url, configuration: configuration)
    }
}
