import CommandServer
import Control
import Foundation
import Kernel
import Pairing
import Rights
import Sealing
import Signaling
import Transport

/// What commands on a computer's state folder can ask of its own parts. The names and members are those that `--json` prints.
struct DesktopControl: Sendable {
    let desktop: Desktop

    var rights: RightsCatalogue { desktop.phones.records.rights }

    var routes: [ControlRoute] {
        [
            ControlRoute("status") { _, _, _ in try await status() },
            ControlRoute("doctor") { _, _, _ in await doctor() },
            ControlRoute("pair.show") { request, _, _ in try await show(request) },
            ControlRoute("pair.watch") { request, _, report in try await watch(request, report: report) },
            ControlRoute("pair.scan") { request, _, report in try await scan(request, report: report) },
            ControlRoute("pair.requests") { _, _, _ in await requests() },
            ControlRoute("pair.accept") { request, _, _ in try await accept(request) },
            ControlRoute("pair.reject") { request, _, _ in try await reject(request) },
            ControlRoute("devices.list") { _, _, _ in ["devices": .array(await list())] },
            ControlRoute("devices.show") { request, _, _ in await describe(try phone(request)) },
            ControlRoute("devices.forget") { request, _, _ in try await forget(request) },
            ControlRoute("devices.audit") { request, _, _ in try await audit(request) },
            ControlRoute("devices.allow") { request, _, _ in try await allow(request) },
            ControlRoute("devices.deny") { request, _, _ in try await deny(request) },
            ControlRoute("activity.list") { request, _, _ in
                ["activities": .array(try await activities(request))]
            },
            ControlRoute("activity.end") { request, _, _ in try await endActivities(request) },
        ]
    }

    /// What works on this machine for the features that run here, as this process sees it.
    private func doctor() async -> JSONValue {
        let all = await desktop.features.checks() + desktop.configuration.checks()
        let checks = all.map { check -> JSONValue in
            [
                "name": .string(check.name), "works": .bool(check.works), "needed": false,
                "detail": .string(check.detail),
            ]
        }
        return ["checks": .array(checks)]
    }

    private func status() async throws -> JSONValue {
        let port = try await desktop.boundPort()
        let servers = desktop.network.states().map { name, state, problem -> JSONValue in
            .object(compacting: [
                "name": .string(name), "registered": .bool(state.presence != nil),
                "reason": problem.map { .string($0.reason) },
                "since": problem.map { .integer($0.since.millisecondsSince1970) },
            ])
        }
        return [
            "role": "desktop", "deviceId": .string(desktop.device.deviceID),
            "did": .string(desktop.device.identity.did.text),
            "fingerprint": .string(desktop.device.identity.did.fingerprint),
            "name": .string(desktop.configuration.device.name), "version": .string(desktop.configuration.version),
            "port": .integer(Int64(port)), "servers": .array(servers),
            "hub": desktop.configuration.hubURL.map { .string($0.absoluteString) } ?? .null,
            "activities": .array(describe(await desktop.phones.activities())),
        ]
    }

    // MARK: Phones

    private func list() async -> [JSONValue] {
        var devices: [JSONValue] = []
        for phone in desktop.phones.records.all() { devices.append(await describe(phone)) }
        return devices
    }

    func describe(_ phone: PairedPhone) async -> JSONValue {
        [
            "id": .string(phone.did.text), "did": .string(phone.did.text), "deviceId": .string(phone.deviceID),
            "fingerprint": .string(phone.did.fingerprint),
            "ownFingerprint": .string(desktop.device.identity.did.fingerprint),
            "name": .string(phone.name),
            "platform": .string(phone.platform.rawValue), "endToEnd": .bool(phone.isEndToEnd),
            "path": await desktop.path(to: phone.did).map { .string($0.rawValue) } ?? .null,
            "skills": names(phone.allowedSkills), "unsigned": names(phone.unsignedRights),
            "stillRefused": names(desktop.phones.records.refusedUnsigned(phone)),
            "pairedAt": .integer(phone.pairedAt.millisecondsSince1970),
            "lastSeenAt": .integer(phone.lastSeenAt.millisecondsSince1970),
        ]
    }

    /// The phone of this id or name; without either the only one there is.
    ///
    /// - Throws: ``DesktopError`` unless it is exactly one.
    func phone(_ request: ControlRequest) throws -> PairedPhone {
        guard let name = try request.optionalText("id") else {
            let phones = desktop.phones.records.all()
            guard phones.count == 1 else {
                throw phones.isEmpty ? DesktopError.noPhone : .phoneNeeded(phones.map(\.name))
            }
            return phones[0]
        }
        let matches = desktop.phones.records.all().filter { [$0.did.text, $0.deviceID, $0.name].contains(name) }
        guard matches.count == 1 else {
            throw matches.isEmpty ? DesktopError.unknownPhone(name) : .severalPhones(matches.map(\.did.text))
        }
        return matches[0]
    }

    private func forget(_ request: ControlRequest) async throws -> JSONValue {
        _ = try request.text("id")  // never guessed
        let phone = try phone(request)
        let ended = try await desktop.phones.forget(phone.did)
        return [
            "id": .string(phone.did.text), "name": .string(phone.name), "ended": .array(describe(ended)),
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
        let rights = try rights.list(request.texts("skills"))
        let phone = try phone(request)
        let isUnsigned = try request.flag("unsigned")
        guard !isUnsigned || !phone.isEndToEnd else { throw DesktopError.seals(phone.name) }
        let changed = try await desktop.phones.allow(rights, to: phone, unsigned: isUnsigned)
        let added = changed.allowedSkills.subtracting(phone.allowedSkills)
        return await describe(changed).adding("changed", names(added))
    }

    private func deny(_ request: ControlRequest) async throws -> JSONValue {
        let rights = try rights.list(request.texts("skills"))
        let phone = try phone(request)
        let (changed, ended) = try await desktop.phones.deny(rights, to: phone, keepsShells: request.flag("keepShells"))
        let taken = phone.allowedSkills.subtracting(changed.allowedSkills)
        return await describe(changed).adding("changed", names(taken))
            .adding("ended", .array(describe(ended)))
    }

    func names(_ rights: Set<Right>) -> JSONValue {
        .array(self.rights.sorted(rights).map { .string($0.rawValue) })
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
