import Control
import Kernel
import SignalingServer

/// What commands on a hub's state folder can ask.
struct HubControl: Sendable {
    private static let idLimit = 256
    private static let reasonLimit = 256

    let server: SignalingServer
    let configuration: SignalingServerConfiguration
    let version: String

    var routes: [ControlRoute] {
        [
            ControlRoute("status") { _, _, _ in try await status() },
            ControlRoute("hub.peers") { _, _, _ in peers() },
            ControlRoute("hub.kick") { request, _, _ in try kick(request) },
            ControlRoute("hub.release") { request, _, _ in try await release(request) },
            ControlRoute("hub.limits") { _, _, _ in limits() },
        ]
    }

    private func status() async throws -> JSONValue {
        let port = try await server.boundPort()
        let urls = HubAddresses.urls(configuration, port: port, certificateNames: server.certificateNames)
        return [
            "role": "hub", "version": .string(version), "address": .string(configuration.address),
            "port": .integer(Int64(port)), "url": .string(urls.first ?? ""), "urls": .array(urls.map(JSONValue.string)),
            "dialect": .string(configuration.dialect.rawValue), "legacyOpen": .bool(configuration.isLegacyOpen),
            "trustedProxies": .array(configuration.trustedProxies.map { .string($0.description) }),
        ]
    }

    private func peers() -> JSONValue {
        let peers = server.peers().map { peer -> JSONValue in
            [
                "peerId": .string(peer.id), "proven": .bool(peer.isProven), "address": .string(peer.address),
                "connectedAt": .integer(peer.connectedAt), "lastSeen": .integer(peer.lastSeen),
            ]
        }
        return ["peers": .array(peers)]
    }

    private func kick(_ request: ControlRequest) throws -> JSONValue {
        let id = try id(request)
        let reason = request.params["reason"]?.stringValue ?? "The operator of this server ended the connection."
        guard server.kick(id, reason: String(reason.prefix(Self.reasonLimit))) else { throw HubError.notConnected(id) }
        return .null
    }

    private func release(_ request: ControlRequest) async throws -> JSONValue {
        let id = try id(request)
        guard try await server.release(id) else { throw HubError.notOwned(id) }
        return .null
    }

    private func id(_ request: ControlRequest) throws -> String {
        let id = try request.text("id")
        guard !id.isEmpty, id.utf8.count <= Self.idLimit else { throw HubError.notConnected(String(id.prefix(40))) }
        return id
    }

    private func limits() -> JSONValue {
        let standard = SignalingLimits()
        let limits = LimitSetting.all.map { setting -> JSONValue in
            [
                "name": .string(setting.name), "value": .integer(Int64(setting.value(in: configuration.limits))),
                "default": .integer(Int64(setting.value(in: standard))), "unit": .string(setting.unit),
                "summary": .string(setting.summary),
            ]
        }
        return ["limits": .array(limits)]
    }
}

/// Why an operator's command could not be done. The description is shown to the person.
enum HubError: Error, Hashable, CustomStringConvertible {
    case notConnected(String)
    case notOwned(String)

    var description: String {
        switch self {
        case .notConnected(let id): "\(id) is not connected here. Who is: tandem hub peers"
        case .notOwned(let id): "\(id) belongs to no key here, so there is nothing to release."
        }
    }
}
