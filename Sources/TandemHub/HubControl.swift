import Control
import Kernel
import SignalingServer

/// What commands on a hub's state folder can ask.
struct HubControl: ControlHandler {
    let server: SignalingServer
    let configuration: SignalingServerConfiguration
    let version: String

    func handle(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        guard request.method == "status" else { throw ControlError.unknownMethod(request.method) }
        let port = try await server.boundPort()
        let scheme = configuration.tls == nil ? "ws" : "wss"
        return [
            "role": "hub", "version": .string(version), "address": .string(configuration.address),
            "port": .integer(Int64(port)), "url": .string("\(scheme)://\(configuration.address):\(port)"),
            "dialect": .string(configuration.dialect.rawValue), "legacyOpen": .bool(configuration.isLegacyOpen),
        ]
    }
}
