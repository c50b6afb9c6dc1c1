import CommandServer
package import Control
import Foundation
package import Kernel
import Pairing
import Rights
import Sealing
import Signaling
import Transport

/// What commands on a computer's state folder can ask. The names and members are those that `--json` prints.
package struct DesktopControl: ControlHandler {
    let desktop: Desktop

    package init(desktop: Desktop) {
        self.desktop = desktop
    }

    package func handle(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        switch request.method {
        case "status": try await status()
        case "pair.show": try await show(request)
        case "pair.watch": try await watch(request, report: report)
        case "pair.scan": try await scan(request, report: report)
        case "pair.requests": await requests()
        case "pair.accept": try await accept(request)
        case "pair.reject": try await reject(request)
        case "devices.list": ["devices": .array(try await list())]
        case "devices.show": await describe(try await phone(request))
        case "devices.forget": try await forget(request)
        case "devices.audit": try await audit(request)
        case "devices.allow": try await allow(request)
        case "devices.deny": try await deny(request)
        case "activity.list": ["activities": .array(try await activities(request))]
        case "activity.end": try await endActivities(request)
        default: throw ControlError.unknownMethod(request.method)
        }
    }

    private func status() async throws -> JSONValue {
        let port = try await desktop.boundPort()
        let servers = await desktop.clientStates().map { name, state, problem -> JSONValue in
            .object(compacting: [
                "name": .string(name), "registered": .bool(state.presence != nil),
                "reason": problem.map { .string($0.reason) },
                "since": problem.map { .integer($0.since.millisecondsSince1970) },
            ])
        }
        return [
            "role": "desktop", "deviceId": .string(desktop.deviceID), "did": .string(desktop.did),
            "fingerprint": .string(desktop.fingerprint),
            "name": .string(desktop.configuration.device.name), "version": .string(desktop.configuration.version),
            "port": .integer(Int64(port)), "servers": .array(servers),
            "hub": desktop.configuration.hubURL.map { .string($0.absoluteString) } ?? .null,
            "activities": .array(await describe(await desktop.activities())),
        ]
    }

    // MARK: Phones

    private func list() async throws -> [JSONValue] {
        var devices: [JSONValue] = []
        for phone in await desktop.pairedPhones() { devices.append(await describe(phone)) }
        return devices
    }

    func describe(_ phone: PairedPhone) async -> JSONValue {
        [
            "id": .string(phone.did.text), "did": .string(phone.did.text), "deviceId": .string(phone.deviceID),
            "fingerprint": .string(phone.did.fingerprint), "ownFingerprint": .string(desktop.fingerprint),
            "name": .string(phone.name),
            "platform": .string(phone.platform.rawValue), "endToEnd": .bool(phone.isEndToEnd),
            "path": await desktop.path(to: phone.did).map { .string($0.rawValue) } ?? .null,
            "skills": Self.names(phone.allowedSkills), "unsigned": Self.names(phone.unsignedRights),
            "stillRefused": Self.names(phone.refusedUnsigned),
            "pairedAt": .integer(phone.pairedAt.millisecondsSince1970),
            "lastSeenAt": .integer(phone.lastSeenAt.millisecondsSince1970),
        ]
    }

    /// The phone of this id or name; without either the only one there is.
    ///
    /// - Throws: ``DesktopError`` unless it is exactly one.
    func phone(_ request: ControlRequest) async throws -> PairedPhone {
        guard let name = try request.optionalText("id") else {
            let phones = await desktop.pairedPhones()
            guard phones.count == 1 else {
                throw phones.isEmpty ? DesktopError.noPhone : .phoneNeeded(phones.map(\.name))
            }
            return phones[0]
        }
        let matches = await desktop.pairedPhones().filter { [$0.did.text, $0.deviceID, $0.name].contains(name) }
        guard matches.count == 1 else {
            throw matches.isEmpty ? DesktopError.unknownPhone(name) : .severalPhones(matches.map(\.did.text))
        }
        return matches[0]
    }

    private func forget(_ request: ControlRequest) async throws -> JSONValue {
        _ = try request.text("id")  // never guessed
        let phone = try await phone(request)
        let ended = try await desktop.forget(phone.did)
        return [
            "id": .string(phone.did.text), "name": .string(phone.name), "ended": .array(await describe(ended)),
        ]
    }

    private func audit(_ request: ControlRequest) async throws -> JSONValue {
        let limit = request.params["limit"]?.integerValue ?? 50
        guard (1...1000).contains(limit) else { throw ControlError.badParameter(name: "limit", expected: "1 to 1000") }
        let page = try await desktop.audit.entries(after: request.params["after"]?.integerValue, limit: Int(limit))
        return [
            "entries": .array(page.entries.map(\.json)), "next": page.next.map { .integer($0) } ?? .null,
        ]
    }

    private func allow(_ request: ControlRequest) async throws -> JSONValue {
        let rights = try Right.list(request.texts("skills"))
        let phone = try await phone(request)
        let isUnsigned = try request.flag("unsigned")
        guard !isUnsigned || !phone.isEndToEnd else { throw DesktopError.seals(phone.name) }
        let changed = try await desktop.allow(rights, to: phone, unsigned: isUnsigned)
        let added = changed.allowedSkills.subtracting(phone.allowedSkills)
        return await describe(changed).adding("changed", Self.names(added))
    }

    private func deny(_ request: ControlRequest) async throws -> JSONValue {
        let rights = try Right.list(request.texts("skills"))
        let phone = try await phone(request)
        let (changed, ended) = try await desktop.deny(rights, to: phone, keepsShells: request.flag("keepShells"))
        let taken = phone.allowedSkills.subtracting(changed.allowedSkills)
        return await describe(changed).adding("changed", Self.names(taken))
            .adding("ended", .array(await describe(ended)))
    }

    static func names(_ rights: Set<Right>) -> JSONValue {
        .array(rights.sorted().map { .string($0.rawValue) })
    }
}

/// Why the computer cannot do what was asked. The description is shown to the person.
package enum DesktopError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownPhone(String)
    case severalPhones([String])
    case nobodyAsks
    case severalAsk([String])
    case noPhone
    case seals(String)
    /// None was named, and there are several.
    case phoneNeeded([String])

    package var description: String {
        switch self {
        case .unknownPhone(let name): "No paired phone is called \(name). See: tandem devices"
        case .severalPhones(let ids):
            "Several phones have that name. Use one of the ids: \(ids.joined(separator: ", "))"
        case .seals(let name):
            "\(name) seals what it sends, so it needs no --unsigned. Allow it without."
        case .nobodyAsks: "No device asks to be paired. Show a code with: tandem pair show"
        case .severalAsk(let ids):
            "Several devices ask. Look at their keys with tandem pair requests, then name one: \(ids.joined(separator: ", "))"
        case .noPhone: "No phone is paired. Pair one with: tandem pair show"
        case .phoneNeeded(let names):
            "Several phones are paired. Say which one is meant: \(names.joined(separator: ", "))"
        }
    }
}
