public import Control
import Foundation
public import Kernel
import Pairing
import Remote
import Sealing
import Signaling
import Transport

/// What commands on a computer's state folder can ask. The names and members are those that `--json` prints.
public struct DesktopControl: ControlHandler {
    private let desktop: Desktop

    public init(desktop: Desktop) {
        self.desktop = desktop
    }

    public func handle(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        switch request.method {
        case "status": try await status()
        case "pair.show": try await show(request)
        case "pair.follow": try await follow(report: report)
        case "pair.scan": try await scan(request)
        case "pair.requests": ["requests": .array(await desktop.pairing.requests().map(Self.describe))]
        case "pair.accept": try await accept(request)
        case "pair.reject": try await reject(request)
        case "devices.list": ["devices": .array(try await list())]
        case "devices.show": await describe(try await phone(request))
        case "devices.forget": try await forget(request)
        case "devices.audit": try await audit(request)
        case "devices.allow": try await change(request) { $0.formUnion($1) }
        case "devices.deny": try await change(request) { $0.subtract($1) }
        default: throw ControlError.unknownMethod(request.method)
        }
    }

    private func status() async throws -> JSONValue {
        let port = try await desktop.boundPort()
        let servers = await desktop.clientStates().map { name, state -> JSONValue in
            ["name": .string(name), "registered": .bool(state.presence != nil)]
        }
        return [
            "role": "desktop", "deviceId": .string(desktop.deviceID), "did": .string(desktop.did),
            "name": .string(desktop.configuration.device.name), "version": .string(desktop.configuration.version),
            "port": .integer(Int64(port)), "servers": .array(servers),
            "hub": desktop.configuration.hubURL.map { .string($0.absoluteString) } ?? .null,
        ]
    }

    // MARK: Pairing

    private func show(_ request: ControlRequest) async throws -> JSONValue {
        let options = PairingOptions(allowsDocumentedPeers: try request.flag("allowUnsealed"))
        let shown = try await desktop.pairing.makeCode(options: options)
        return [
            "payload": .string(shown.qrText), "code": .string(shown.typed?.digits ?? shown.qr.code.digits),
            "typed": .bool(shown.typed != nil), "expiresAt": .integer(shown.expiresAt.millisecondsSince1970),
        ]
    }

    /// Reports each new request, and what becomes of the code, until it is used up.
    private func follow(report: @escaping @Sendable (JSONValue) async throws -> Void) async throws -> JSONValue {
        var told: Set<PairingRequest.ID> = []
        let pairedBefore = await desktop.pairing.status().lastPaired
        for await status in desktop.pairing.statuses() {
            for request in status.requests where told.insert(request.id).inserted {
                try await report(Self.describe(request).adding("event", "request"))
            }
            if let paired = status.lastPaired, paired != pairedBefore {
                try await report(["event": "paired", "name": .string(paired.name)])
                return .null
            }
            switch status.code {
            case .expired:
                try await report(["event": "expired"])
                return .null
            case .burned:
                try await report([
                    "event": "burned",
                    "message":
                        "A wrong code was tried, so this one is used up. Someone may be interfering. Make a new one.",
                ])
                return .null
            case .none, .shown, .used: continue
            }
        }
        return .null
    }

    private func scan(_ request: ControlRequest) async throws -> JSONValue {
        let qr = try desktop.pairing.read(request.text("text"))
        let options = PairingOptions(
            allowsDocumentedPeers: try request.flag("allowUnsealed"),
            acceptsNewIdentity: try request.flag("acceptNewIdentity")
        )
        return await describe(try await desktop.pairing.pair(with: qr, options: options))
    }

    private func accept(_ request: ControlRequest) async throws -> JSONValue {
        let comparison = try request.optionalText("number").map(PairingComparison.typed)
        return await describe(try await desktop.pairing.accept(request.text("id"), comparison: comparison))
    }

    private func reject(_ request: ControlRequest) async throws -> JSONValue {
        let id = try request.text("id")
        let name = await desktop.pairing.requests().first { $0.id == id }?.name
        try await desktop.pairing.reject(id)
        return ["id": .string(id), "name": .string(name ?? id)]
    }

    private static func describe(_ request: PairingRequest) -> JSONValue {
        [
            "id": .string(request.id), "name": .string(request.name), "platform": .string(request.platform.rawValue),
            "did": .string(request.did.text), "fingerprint": .string(request.fingerprint),
            "endToEnd": .bool(request.isEndToEnd), "number": .bool(request.comparisonNumber != nil),
            "identityChanged": .bool(request.identityChange != nil),
            "arrivedAt": .integer(request.arrivedAt.millisecondsSince1970),
            "expiresAt": .integer(request.expiresAt.millisecondsSince1970),
        ]
    }

    // MARK: Phones

    private func list() async throws -> [JSONValue] {
        var devices: [JSONValue] = []
        for phone in await desktop.pairedPhones() { devices.append(await describe(phone)) }
        return devices
    }

    private func describe(_ phone: PairedPhone) async -> JSONValue {
        [
            "id": .string(phone.did.text), "did": .string(phone.did.text), "deviceId": .string(phone.deviceID),
            "fingerprint": .string(phone.did.fingerprint), "name": .string(phone.name),
            "platform": .string(phone.platform.rawValue), "endToEnd": .bool(phone.isEndToEnd),
            "path": await desktop.path(to: phone.did).map { .string($0.rawValue) } ?? .null,
            "skills": .array(phone.allowedSkills.map(\.rawValue).sorted().map(JSONValue.string)),
            "pairedAt": .integer(phone.pairedAt.millisecondsSince1970),
            "lastSeenAt": .integer(phone.lastSeenAt.millisecondsSince1970),
        ]
    }

    /// - Throws: ``DesktopError`` unless exactly one phone has this id or name.
    private func phone(_ request: ControlRequest) async throws -> PairedPhone {
        let name = try request.text("id")
        let matches = await desktop.pairedPhones().filter { [$0.did.text, $0.deviceID, $0.name].contains(name) }
        guard matches.count == 1 else {
            throw matches.isEmpty ? DesktopError.unknownPhone(name) : .severalPhones(matches.map(\.did.text))
        }
        return matches[0]
    }

    private func forget(_ request: ControlRequest) async throws -> JSONValue {
        let phone = try await phone(request)
        try await desktop.forget(phone.did)
        return ["id": .string(phone.did.text), "name": .string(phone.name)]
    }

    private func audit(_ request: ControlRequest) async throws -> JSONValue {
        let limit = request.params["limit"]?.integerValue ?? 50
        guard (1...1000).contains(limit) else { throw ControlError.badParameter(name: "limit", expected: "1 to 1000") }
        let page = try await desktop.audit.entries(after: request.params["after"]?.integerValue, limit: Int(limit))
        return [
            "entries": .array(page.entries.map(\.json)), "next": page.next.map { .integer($0) } ?? .null,
        ]
    }

    private func change(
        _ request: ControlRequest,
        _ change: @escaping @Sendable (inout Set<PhoneSkill>, Set<PhoneSkill>) -> Void
    ) async throws -> JSONValue {
        let skills = Set(try request.texts("skills").map(PhoneSkill.init(rawValue:)))
        let phone = try await phone(request)
        let changed = try await desktop.phones.update(phone.did) { change(&$0.allowedSkills, skills) }
        return await describe(changed ?? phone)
    }
}

/// Why the computer cannot do what was asked. The description is shown to the person.
public enum DesktopError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownPhone(String)
    case severalPhones([String])

    public var description: String {
        switch self {
        case .unknownPhone(let name): "No paired phone is called \(name). See: tandem devices"
        case .severalPhones(let ids):
            "Several phones have that name. Use one of the ids: \(ids.joined(separator: ", "))"
        }
    }
}
