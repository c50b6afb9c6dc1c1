import Commands
import Control
import Foundation
import Kernel
import Pairing
import Rights
import Sealing
import Signaling
import Transport

/// What commands on a phone's state folder can ask of its own parts. The names and members are those that `--json` prints.
struct PhoneControl: Sendable {
    let phone: Phone

    var routes: [ControlRoute] {
        [
            ControlRoute("status") { _, _, _ in await status() },
            ControlRoute("pair.show") { request, _, _ in try await show(request) },
            ControlRoute("pair.watch") { request, _, report in try await watch(request, report: report) },
            ControlRoute("pair.scan") { request, _, report in try await scan(request, report: report) },
            ControlRoute("pair.code") { request, _, report in try await type(request, report: report) },
            ControlRoute("devices.list") { _, _, _ in try await list() },
            ControlRoute("devices.show") { request, _, _ in
                await describe(try await phone.desktop(named: request.text("id")))
            },
            ControlRoute("devices.forget") { request, _, _ in try await forget(request) },
            ControlRoute("devices.allow") { request, _, _ in try await change(request) { $0.union($1) } },
            ControlRoute("devices.deny") { request, _, _ in try await change(request) { $0.subtracting($1) } },
            ControlRoute("devices.audit") { _, _, _ in
                throw ControlError.refused(
                    "A phone keeps no record of what was done: the computer does. Ask there: tandem devices audit"
                )
            },
            ControlRoute("call") { request, _, _ in try await call(request) },
            ControlRoute("events") { request, _, report in try await events(request, report: report) },
            ControlRoute("reachability") { request, _, report in
                let computer = try await phone.peer(named: request.optionalText("device"))
                for await isReached in try await computer.reachability() { try await report(.bool(isReached)) }
                return .null
            },
            ControlRoute("queue.list") { _, _, _ in try await listQueue() },
            ControlRoute("queue.remove") { request, _, _ in try await removeFromQueue(request) },
            ControlRoute("queue.retry") { request, _, _ in try await retryInQueue(request) },
            ControlRoute("queue.clear") { request, _, _ in try await clearQueue(request) },
            ControlRoute("queue.call") { request, _, _ in try await queueCall(request) },
        ]
    }

    /// Reports what a computer tells, for as long as the command listens.
    private func events(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let desktop = try await phone.desktop(named: request.optionalText("device"))
        for await event in try await phone.events(of: desktop) {
            try await report(["event": .string(event.name), "members": .object(event.members)])
        }
        return .null
    }

    private func status() async -> JSONValue {
        let servers = await phone.servers().map { server -> JSONValue in
            .object(compacting: [
                "url": .string(server.url.absoluteString), "state": .string(Self.word(for: server.state)),
                "reason": server.problem.map { .string($0.reason) },
                "since": server.problem.map { .integer($0.since.millisecondsSince1970) },
            ])
        }
        return [
            "role": "phone", "did": .string(phone.identity.did), "deviceId": .string(phone.identity.deviceID),
            "fingerprint": .string(phone.identity.fingerprint),
            "name": .string(phone.configuration.device.name), "version": .string(phone.configuration.version),
            "servers": .array(servers),
        ]
    }

    private static func word(for state: SignalClientState) -> String {
        switch state {
        case .disconnected: "disconnected"
        case .connecting: "connecting"
        case .connected: "connected"
        case .registered: "registered"
        case .waiting: "waiting"
        case .replaced: "replaced"
        case .refused(let error): "refused: \(error)"
        }
    }

    // MARK: Pairing

    /// Shows the phone's own code and goes on waiting for a computer while the phone runs.
    private func show(_ request: ControlRequest) async throws -> JSONValue {
        describe(try await phone.showCode(options: Self.options(request)))
    }

    private func describe(_ code: PhonePairing.ShownCode) -> JSONValue {
        [
            "payload": .string(code.text), "code": .string(code.qr.code.digits),
            "expiresAt": .integer(code.expiresAt.millisecondsSince1970),
            "ownFingerprint": .string(phone.identity.fingerprint),
        ]
    }

    /// Shows a code and reports what becomes of it.
    private func watch(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let outcomes = phone.shownCodeOutcomes()
        let code = try await phone.showCode(options: Self.options(request))
        try await report(describe(code).adding("event", "code"))
        for await outcome in outcomes where outcome.code == code {
            switch outcome.result {
            case .success(let desktop):
                try await report(await describe(desktop).adding("event", "paired"))
            case .failure(PairingError.shownCodeExpired): try await report(["event": "expired"])
            case .failure(let error): try await report(["event": "failed", "message": .string("\(error)")])
            }
            return .null
        }
        return .null
    }

    private func scan(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let qr = try phone.pairing.read(request.text("text"))
        let options = try Self.options(request)
        let desktop = try await phone.pairing.pair(with: qr, options: options) { progress in
            // Sent by now: what is refused before says only why.
            if case .waiting = progress {
                let message = "Told \(qr.deviceInfo.name); say yes there."
                return await Self.pass(["event": "sending", "message": .string(message)], to: report)
            }
            await Self.pass(progress, to: report)
        }
        return await describe(desktop)
    }

    private func type(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let code = try TypedCode(request.text("digits"))
        let options = try Self.options(request)
        let typed = try request.optionalText("url").map(SignalingAddress.init)
        let desktop = try await ServerLocator.$typed.withValue(typed) {
            try await phone.pairing.pair(typing: code, options: options) { await Self.pass($0, to: report) }
        }
        return await describe(desktop)
    }

    private static func options(_ request: ControlRequest) throws -> PairingOptions {
        PairingOptions(
            allowsDocumentedPeers: try request.flag("allowUnsealed"),
            acceptsNewIdentity: try request.flag("acceptNewIdentity")
        )
    }

    private static func pass(
        _ progress: PairingProgress,
        to report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async {
        let item: JSONValue =
            switch progress {
            case .identified(let key):
                [
                    "event": "key", "key": .string(key),
                    "message": .string("This phone's key is \(key): the computer must show the same."),
                ]
            case .waiting(let until):
                [
                    "event": "waiting", "until": .integer(until.millisecondsSince1970),
                    "message": "Waiting for the person at the computer.",
                ]
            case .compare(let number):
                [
                    "event": "compare", "number": .string(number),
                    "message": .string("Type this number at the computer, where it asks for it: \(number)"),
                ]
            }
        await pass(item, to: report)
    }

    private static func pass(
        _ item: JSONValue,
        to report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async {
        // A command that stopped listening cannot be told; pairing goes on without it.
        try? await report(item)
    }

    // MARK: Computers

    private func list() async throws -> JSONValue {
        var devices: [JSONValue] = []
        for desktop in await phone.pairedDesktops() { devices.append(await describe(desktop)) }
        return ["devices": .array(devices)]
    }

    private func describe(_ desktop: PairedDesktop) async -> JSONValue {
        [
            "id": .string(desktop.pcPeerID), "pcPeerId": .string(desktop.pcPeerID), "name": .string(desktop.deviceName),
            "platform": .string(desktop.platform.rawValue), "did": desktop.did.map { .string($0.text) } ?? .null,
            "fingerprint": desktop.did.map { .string($0.fingerprint) } ?? .null,
            "endToEnd": .bool(desktop.isEndToEnd), "confirmed": .bool(desktop.state != .unconfirmed),
            "skills": names(desktop.clearRights),
            // As the computer said last; null when it never did.
            "allowed": desktop.allowed.map { told($0.rights) } ?? .null,
            "allowedAt": desktop.allowed.map { .integer($0.saidAt.millisecondsSince1970) } ?? .null,
            "notAllowed": phone.advice(at: desktop).map { .string($0) } ?? .null,
            "ownFingerprint": .string(phone.identity.fingerprint),
            "path": await phone.path(to: desktop.pcPeerID).map { .string($0.rawValue) } ?? .null,
            "lanSignalingUrl": desktop.lanSignalingURL.map { .string($0.absoluteString) } ?? .null,
            "relayUrl": desktop.relayURL.map { .string($0.absoluteString) } ?? .null,
            "pairedAt": .integer(desktop.pairedAt.millisecondsSince1970),
            "lastSeenAt": .integer(desktop.lastSeenAt.millisecondsSince1970),
        ]
    }

    private func forget(_ request: ControlRequest) async throws -> JSONValue {
        let desktop = try await phone.desktop(named: request.text("id"))
        try await phone.pairing.forget(desktop.pcPeerID)
        return ["id": .string(desktop.pcPeerID), "name": .string(desktop.deviceName)]
    }

    /// What this phone may use in the clear at a computer that cannot seal.
    private func change(
        _ request: ControlRequest,
        _ change: @escaping @Sendable (Set<Right>, Set<Right>) -> Set<Right>
    ) async throws -> JSONValue {
        let rights = try phone.features.rights.list(request.texts("skills"))
        let desktop = try await phone.desktop(named: request.optionalText("id"))
        let changed = try await phone.change(desktop) { change($0, rights) }
        let difference = changed.clearRights.symmetricDifference(desktop.clearRights)
        return await describe(changed).adding("changed", names(difference))
    }

    private func names(_ rights: Set<Right>) -> JSONValue {
        .array(phone.features.rights.sorted(rights).map { .string($0.rawValue) })
    }

    /// Also those that only the computer knows, behind the others.
    private func told(_ rights: Set<Right>) -> JSONValue {
        let known = phone.features.rights.sorted(rights)
        let others = rights.subtracting(known).sorted { $0.rawValue < $1.rawValue }
        return .array((known + others).map { .string($0.rawValue) })
    }

    private func call(_ request: ControlRequest) async throws -> JSONValue {
        let desktop = try await phone.desktop(named: request.optionalText("device"))
        let limit = try Self.seconds(request)
        return try await phone.call(
            request.text("method"),
            request.params["params"] ?? .object([:]),
            on: desktop,
            timeout: limit
        )
    }

    static func seconds(_ request: ControlRequest) throws -> Duration {
        let seconds = request.params["timeout"]?.integerValue ?? 30
        guard (1...3600).contains(seconds) else {
            throw ControlError.badParameter(name: "timeout", expected: "1 to 3600 seconds")
        }
        return .seconds(seconds)
    }
}
