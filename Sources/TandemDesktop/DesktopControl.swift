import Capabilities
import CommandServer
import Control
import Foundation
import Kernel
import Pairing
import Rights
import Sealing
import Signaling
import Storage
import Transport

/// The requests that commands on a computer's state folder can make of its own parts.
struct DesktopControl: Sendable {
    let desktop: Desktop

    var rights: RightsCatalogue { desktop.phones.records.rights }
    var own: String { desktop.device.identity.did.fingerprint }

    var routes: [ControlRoute] {
        [
            ControlRoute(.status) { _ in try await status() },
            ControlRoute(.doctor, run: doctor),
            ControlRoute(PairingControl.show, run: show),
            ControlRoute(PairingControl.hide) { _ in HiddenCode(await desktop.pairing.withdrawCode()) },
            ControlRoute(PairingControl.watch) { try await watch($0, report: $1) },
            ControlRoute(PairingControl.scan) { try await scan($0, report: $1) },
            ControlRoute(PairingControl.requests) { _ in
                RequestList(await desktop.pairing.status(), offers: rights)
            },
            ControlRoute(PairingControl.accept, run: accept),
            ControlRoute(PairingControl.reject, run: reject),
            ControlRoute(DeviceControl.list) { _ in await list() },
            ControlRoute(DeviceControl.show) { await describe(try phone($0.id)) },
            ControlRoute(DeviceControl.rename) { renamed in
                await describe(try await desktop.phones.rename(phone(renamed.id), to: renamed.text()))
            },
            ControlRoute(DeviceControl.forget, run: forget),
            ControlRoute(.audit, run: audit),
            ControlRoute(DeviceControl.allow, run: allow),
            ControlRoute(DeviceControl.deny, run: deny),
            ControlRoute(DeviceControl.asks) { _ in RightAskList(await desktop.phones.asks()) },
            ControlRoute(DeviceControl.refuse, run: refuse),
            ControlRoute(DeviceControl.rights) { _ in RightsList(rights) },
            ControlRoute(DeviceControl.activities, run: activities),
            ControlRoute(DeviceControl.endActivities, run: endActivities),
        ]
    }

    private func doctor(_: NoControlParameters) async throws -> DoctorReport {
        var checks = await desktop.features.set.checks() + desktop.configuration.checks()
        if let check = await desktop.databaseCheck() { checks.append(check) }
        checks += await desktop.state.features.checks()
        return DoctorReport(checks + (try await status()).connectionChecks)
    }

    private func status() async throws -> DesktopStatus {
        DesktopStatus(
            deviceId: desktop.device.deviceID,
            did: desktop.device.identity.did.text,
            fingerprint: own,
            name: desktop.configuration.device.name,
            version: desktop.configuration.version,
            port: try await desktop.boundPort(),
            servers: desktop.network.states().map { name, state, problem in
                DesktopStatus.Server(
                    name: name,
                    registered: state.presence != nil,
                    reason: problem?.reason,
                    since: problem?.since.millisecondsSince1970
                )
            },
            hub: desktop.configuration.hubURL?.absoluteString,
            addresses: DesktopStatus.Addresses(await desktop.network.addresses.shown()),
            activities: describe(await desktop.phones.activities())
        )
    }

    // MARK: Phones

    func describe(_ phone: PairedPhone) async -> DeviceEntry {
        DeviceEntry(
            phone,
            own: own,
            path: await desktop.path(to: phone.did),
            refused: desktop.phones.records.refusedUnsigned(phone),
            rights: rights
        )
    }

    /// The phone of this id or name; without either the only one there is.
    ///
    /// - Throws: ``DesktopError`` unless it is exactly one.
    private func phone(_ name: String?) throws -> PairedPhone {
        let phones = desktop.phones.records.all()
        guard let name else {
            guard phones.count == 1 else {
                throw phones.isEmpty ? DesktopError.noPhone : .phoneNeeded(phones.map(\.name))
            }
            return phones[0]
        }
        let matches = TypedDevice.matches(
            name,
            among: phones,
            names: { [$0.deviceID, $0.name] },
            id: { $0.did.text }
        )
        guard matches.count == 1 else {
            throw matches.isEmpty
                ? DesktopError.unknownPhone(name)
                : .severalPhones(TypedDevice.choices(matches.map(\.did.text), for: name))
        }
        return matches[0]
    }

    private func list() async -> DeviceList {
        var devices: [DeviceEntry] = []
        for phone in desktop.phones.records.all() { devices.append(await describe(phone)) }
        return DeviceList(devices)
    }

    private func forget(_ device: DeviceName) async throws -> ForgottenDevice {
        let phone = try phone(device.id)
        let ended = try await desktop.phones.forget(phone.did)
        return ForgottenDevice(id: phone.did.text, name: phone.name, ended: describe(ended))
    }

    private func audit(_ query: AuditQuery) async throws -> AuditPage {
        let limit = query.limit ?? 50
        guard (1...1000).contains(limit) else { throw ControlError.badParameter(name: "limit", expected: "1 to 1000") }
        var filter = AuditFilter()
        if let name = query.id {
            // Also of one that is not paired any more, by its id.
            filter.caller = name.hasPrefix("did:") || name.hasPrefix("bridge:") ? name : try phone(name).did.text
        }
        if let word = query.outcome {
            filter.outcome = AuditFilter.Outcome(rawValue: word)
            let words = AuditFilter.Outcome.allCases.map(\.rawValue).joined(separator: ", ")
            if filter.outcome == nil { throw ControlError.badParameter(name: "outcome", expected: words) }
        }
        if let word = query.by {
            filter.actor = AuditEntry.Actor(rawValue: word)
            if filter.actor == nil { throw ControlError.badParameter(name: "by", expected: "phone or owner") }
        }
        return try await desktop.audit.entries(after: query.after, limit: limit, matching: filter)
    }

    private func allow(_ change: RightsChange) async throws -> DeviceEntry {
        let duration = try change.duration()
        let phone = try phone(change.id)
        guard change.unsigned != true || !phone.isEndToEnd else { throw DesktopError.seals(phone.name) }
        guard let preset = try change.chosenPreset() else {
            let rights = try rights.list(change.skills)
            let unsigned = change.unsigned == true
            let changed = try await desktop.phones.allow(rights, to: phone, unsigned: unsigned, for: duration)
            var answer = await describe(changed)
            // Also what it had for another time.
            let ends = rights.filter { changed.terms[$0]?.endsAt != phone.terms[$0]?.endsAt }
            answer.changed = self.rights.sorted(changed.allowedSkills.subtracting(phone.allowedSkills).union(ends))
            return answer
        }
        return try await give(preset, to: phone, for: duration, keepsShells: change.keepShells == true)
    }

    /// Gives a phone what a preset holds, and takes the rest back. With an end it adds for that time and takes nothing back.
    private func give(
        _ preset: RightPreset,
        to phone: PairedPhone,
        for duration: Duration?,
        keepsShells: Bool
    ) async throws -> DeviceEntry {
        let wanted = rights.rights(of: preset)
        let more = phone.allowedSkills.subtracting(wanted).intersection(rights.all)
        var ended: [Activity] = []
        // First: what fails in between leaves the phone with less.
        if duration == nil, !more.isEmpty {
            ended = try await desktop.phones.deny(more, to: phone, keepsShells: keepsShells).ended
        }
        let isMissing: (Right) -> Bool = { !phone.allowedSkills.contains($0) || phone.terms[$0] != nil }
        let missing = wanted.filter(isMissing)
        let changed =
            missing.isEmpty
            ? desktop.phones.records.record(phone.did)
            : try await desktop.phones.allow(missing, to: phone, for: duration)
        guard let changed else { throw DesktopError.unknownPhone(phone.name) }
        var answer = await describe(changed)
        answer.changed = rights.sorted(missing)
        answer.lost = rights.sorted(phone.allowedSkills.subtracting(changed.allowedSkills))
        answer.ended = describe(ended)
        return answer
    }

    private func refuse(_ choice: RightChoice) async throws -> RightAskList {
        let right = try choice.right.map { try rights.list([$0]) }
        let asks = await desktop.phones.asks().filter { right?.contains($0.right) != false }
        let devices = Set(asks.map(\.device))
        guard !asks.isEmpty else { throw DesktopError.nothingAsked }
        guard choice.id != nil || devices.count == 1 else { throw DesktopError.phoneNeeded(asks.map(\.name)) }
        let phone = try phone(choice.id ?? asks[0].device)
        var isRefused = false
        for ask in asks where ask.device == phone.did.text {
            if try await desktop.phones.refuse(ask.right, to: phone) { isRefused = true }
        }
        guard isRefused else { throw DesktopError.nothingAsked }
        return RightAskList(await desktop.phones.asks())
    }

    private func deny(_ change: RightsChange) async throws -> DeviceEntry {
        let rights = try rights.list(change.skills)
        let phone = try phone(change.id)
        let keeps = change.keepShells == true
        let (changed, ended) = try await desktop.phones.deny(rights, to: phone, keepsShells: keeps)
        var answer = await describe(changed)
        answer.changed = self.rights.sorted(phone.allowedSkills.subtracting(changed.allowedSkills))
        answer.ended = describe(ended)
        return answer
    }

    // MARK: What phones keep going

    private func activities(_ device: DeviceChoice) async throws -> ActivityList {
        let did = try device.id.map { try phone($0).did }
        return ActivityList(describe(await desktop.phones.activities(of: did)))
    }

    /// Ends those that are named, or all of them.
    private func endActivities(_ choice: ActivityChoice) async throws -> EndedActivities {
        let current = await desktop.phones.activities()
        var (ended, others): ([Activity], [String]) = ([], [])
        for typed in choice.all == true ? current.map(\.id) : choice.activities {
            let id = Self.whole(typed, among: current.map(\.id))
            if try await desktop.phones.endActivity(id), let activity = current.first(where: { $0.id == id }) {
                ended.append(activity)
            } else {
                others.append(typed)
            }
        }
        return EndedActivities(ended: describe(ended), notEnded: others)
    }

    /// The id that was typed, or the only one that begins with it.
    private static func whole(_ typed: String, among ids: [String]) -> String {
        let matches = ids.filter { $0.hasPrefix(typed) }
        return ids.contains(typed) || typed.isEmpty || matches.count != 1 ? typed : matches[0]
    }

    private func describe(_ activities: [Activity]) -> [ActivityEntry] {
        let phones = desktop.phones.records.all()
        return activities.map { activity in
            ActivityEntry(
                id: activity.id,
                kind: activity.kind.name,
                device: activity.device,
                // A phone that is just forgotten has no record any more.
                name: phones.first { $0.did.text == activity.device }?.name ?? "",
                right: activity.kind.right,
                words: activity.words,
                detail: activity.detail,
                since: activity.since?.millisecondsSince1970,
                program: activity.program?.name,
                process: activity.program?.process
            )
        }
    }
}

extension RightPreset {
    /// - Throws: `ControlError/badParameter(name:expected:)` for a name that is none.
    init(typed name: String) throws {
        guard let preset = RightPreset(rawValue: name) else {
            let names = RightPreset.allCases.map(\.rawValue).joined(separator: " or ")
            throw ControlError.badParameter(name: "preset", expected: names)
        }
        self = preset
    }
}

extension RightsChange {
    func chosenPreset() throws -> RightPreset? { try preset.map(RightPreset.init(typed:)) }

    /// The time after which the rights end.
    func duration() throws -> Duration? {
        guard let seconds else { return nil }
        guard RightTerm.range.contains(.seconds(seconds)) else {
            throw ControlError.badParameter(name: "seconds", expected: "300 (5 minutes) to 2592000 (30 days)")
        }
        return .seconds(seconds)
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
    /// No phone asks for a right, or not that one.
    case nothingAsked
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
        case .nothingAsked: "No phone asks for that. See what is asked for with: tandem devices asks"
        case .noPhone: "No phone is paired. Pair one with: tandem pair show"
        case .phoneNeeded(let names):
            "Several phones are paired. Say which one is meant: \(names.joined(separator: ", "))"
        }
    }
}
