import Capabilities
import CommandClient
import Commands
import Control
import Foundation
import Kernel
import Pairing
import Rights
import Sealing
import Signaling
import Transport

/// The requests that commands on a phone's state folder can make of its own parts.
struct PhoneControl: Sendable {
    typealias Report = @Sendable (PairingEvent) async throws -> Void

    let phone: Phone

    /// What a phone that rests answers, too, beside what it is: what it knows.
    private static let atRest: Set = [DeviceControl.list.name, DeviceControl.show.name, QueueControl.list.name]

    var routes: [ControlRoute] {
        own
            + (pairing + devices + calls + queue).map { route in
                Self.atRest.contains(route.name) ? route : route.requiring { [phone] in try phone.requireAwake() }
            }
    }

    private var own: [ControlRoute] {
        [
            ControlRoute(.status) { _ in
                PhoneStatus(
                    did: phone.identity.did,
                    deviceId: phone.identity.deviceID,
                    fingerprint: phone.identity.fingerprint,
                    name: phone.configuration.device.name,
                    version: phone.configuration.version,
                    servers: await phone.servers().map(PhoneStatus.Server.init)
                )
            },
            ControlRoute(.doctor) { _ in DoctorReport(phone.standingChecks + (await phone.features.set.checks())) },
        ]
    }

    // MARK: Pairing

    private var pairing: [ControlRoute] {
        [
            // The phone goes on waiting for a computer while it runs.
            ControlRoute(PairingControl.show) { describe(try await phone.showCode(options: $0.options)) },
            ControlRoute(PairingControl.hide) { _ in HiddenCode(await phone.pairing.withdrawCode()) },
            ControlRoute(PairingControl.watch) { code, report in
                let outcomes = phone.shownCodeOutcomes()
                let code = try await phone.showCode(options: code.options)
                try await report(.code(describe(code)))
                for await outcome in outcomes where outcome.code == code {
                    switch outcome.result {
                    case .success(let desktop): try await report(.paired(await describe(desktop)))
                    case .failure(PairingError.shownCodeExpired): try await report(.expired)
                    case .failure(PairingError.codeWithdrawn): try await report(.hidden)
                    case .failure(let error): try await report(.step(PairingStep(failure: error)))
                    }
                    break
                }
                return NoControlAnswer()
            },
            ControlRoute(PairingControl.scan) { code, report in
                let qr = try phone.pairing.read(code.text)
                if let doubt = qr.ageDoubt { await Self.pass(PairingStep(clocks: doubt), to: report) }
                let desktop = try await phone.pairing.pair(with: qr, options: code.options) { progress in
                    // Sent by now: what is refused before says only why.
                    guard case .waiting(let end) = progress else {
                        return await Self.pass(PairingStep(progress), to: report)
                    }
                    var step = PairingStep("sending", "Told \(qr.deviceInfo.name); say yes there.")
                    step.until = end.millisecondsSince1970
                    await Self.pass(step, to: report)
                }
                return await describe(desktop)
            },
            ControlRoute(PairingControl.type) { typed, answers, report in
                let code = try TypedCode(typed.digits)
                let address = try typed.url.map(SignalingAddress.init)
                let desktop = try await ServerLocator.$typed.withValue(address) {
                    try await phone.pairing.pair(typing: code, options: typed.options) { _ in
                        // An asker that can give no answer, and an answer that cannot be read, are no yes.
                        var answers = answers.makeAsyncIterator()
                        return (try? await answers.next()?.decode(as: NumberConfirmation.self))?.same == true
                    } progress: {
                        await Self.pass(PairingStep($0), to: report)
                    }
                }
                return await describe(desktop)
            },
        ]
    }

    private func describe(_ code: PhonePairing.ShownCode) -> CodeEntry {
        CodeEntry(code, own: phone.identity.fingerprint)
    }

    private static func pass(_ step: PairingStep, to report: Report) async {
        // A command that stopped listening cannot be told; its end cancels the pairing.
        try? await report(.step(step))
    }

    // MARK: Computers

    private var devices: [ControlRoute] {
        [
            ControlRoute(DeviceControl.list) { _ in
                var devices: [DeviceEntry] = []
                for desktop in await phone.pairedDesktops() { devices.append(await describe(desktop)) }
                return DeviceList(devices)
            },
            ControlRoute(DeviceControl.show) { await describe(try await phone.desktop(named: $0.id)) },
            ControlRoute(DeviceControl.rename) { renamed in
                let desktop = try await phone.desktop(named: renamed.id)
                return await describe(try await phone.rename(desktop, to: renamed.text()))
            },
            ControlRoute(DeviceControl.forget) { device in
                let desktop = try await phone.desktop(named: device.id)
                let isTold = try await phone.pairing.forget(desktop.pcPeerID)
                return ForgottenDevice(
                    id: desktop.pcPeerID,
                    name: desktop.deviceName,
                    // By its id: the computer may call this phone otherwise.
                    untold: isTold ? nil : "tandem devices forget \(phone.identity.did)"
                )
            },
            ControlRoute(DeviceControl.allow) { try await change($0) { $0.union($1) } },
            ControlRoute(DeviceControl.deny) { try await change($0) { $0.subtracting($1) } },
            ControlRoute(DeviceControl.ask) { choice in
                guard let right = choice.right.map(Right.init(rawValue:)) else {
                    throw ControlError.badParameter(name: "right", expected: "a right's name")
                }
                let desktop = try await phone.desktop(named: choice.id)
                let answer = try await phone.ask(for: right, at: desktop)
                return RightAskAnswer(state: answer.state, until: answer.until)
            },
            ControlRoute(ControlMethod<AuditQuery, NoControlAnswer>.audit) { _ in
                throw ControlError.refused(
                    "A phone keeps no record of what was done: the computer does. Ask there: tandem devices audit"
                )
            },
        ]
    }

    private func describe(_ desktop: PairedDesktop) async -> DeviceEntry {
        DeviceEntry(
            desktop,
            own: phone.identity.fingerprint,
            path: await phone.path(to: desktop.pcPeerID),
            advice: phone.advice(at: desktop),
            rights: phone.features.rights
        )
    }

    /// Changes the rights that this phone may use in the clear at a computer that cannot seal.
    private func change(
        _ wanted: RightsChange,
        _ change: @escaping @Sendable (Set<Right>, Set<Right>) -> Set<Right>
    ) async throws -> DeviceEntry {
        let rights = try phone.features.rights.list(wanted.skills)
        let desktop = try await phone.desktop(named: wanted.id)
        let changed = try await phone.change(desktop) { change($0, rights) }
        var answer = await describe(changed)
        answer.changed = phone.features.rights.sorted(changed.clearRights.symmetricDifference(desktop.clearRights))
        return answer
    }

    // MARK: Calls

    private var calls: [ControlRoute] {
        [
            ControlRoute(CallControl.call) { call in
                let desktop = try await phone.desktop(named: call.device)
                return try await phone.call(call.method, call.params ?? [:], on: desktop, timeout: call.limit())
            },
            // For as long as the command listens.
            ControlRoute(CallControl.events) { choice, report in
                let desktop = try await phone.desktop(named: choice.device)
                for await event in try await phone.events(of: desktop) {
                    try await report(CallControl.Event(event.name, event.members))
                }
                return NoControlAnswer()
            },
            ControlRoute(CallControl.reachability) { choice, report in
                let computer = try await phone.peer(named: choice.device)
                for await isReached in try await computer.reachability() { try await report(isReached) }
                return NoControlAnswer()
            },
        ]
    }

    private var queue: [ControlRoute] {
        [
            ControlRoute(QueueControl.list) { _ in QueueControl.CommandList(try await phone.queue.commands()) },
            ControlRoute(QueueControl.remove) { try await phone.queue.remove($0.uuid()).summary },
            ControlRoute(QueueControl.retry) { try await phone.queue.retry($0.uuid()).summary },
            ControlRoute(QueueControl.clear) { choice in
                guard let name = choice.device else { return QueueControl.Removed(try await phone.queue.clear()) }
                let desktop = try await phone.desktop(named: name)
                return QueueControl.Removed(try await phone.queue.clear(for: desktop.pcPeerID))
            },
            ControlRoute(QueueControl.call, run: queueCall),
        ]
    }

    /// Queues a call. It is done once, now or when the computer is there; waits up to the timeout to say which.
    private func queueCall(_ call: MethodCall) async throws -> QueueControl.Outcome {
        let desktop = try await phone.desktop(named: call.device)
        let limit = try call.limit()
        let events = phone.queue.events()
        let queued = try await phone.enqueue(call.method, call.params ?? [:], for: desktop)
        guard await phone.path(to: desktop.pcPeerID) != nil else { return QueueControl.Outcome(queued) }
        do {
            return try await withTimeout(limit, on: phone.configuration.time, throwing: RemoteError.notConnected) {
                try await Self.outcome(of: queued.command.id, in: events)
            }
        } catch RemoteError.notConnected {
            return QueueControl.Outcome(queued)
        }
    }

    private static func outcome(
        of id: UUID,
        in events: AsyncStream<OfflineQueueEvent>
    ) async throws -> QueueControl.Outcome {
        for await event in events {
            switch event {
            case .delivered(let command, let result) where command.id == id:
                return QueueControl.Outcome(result: result)
            case .failed(let command) where command.id == id:
                throw ControlError.refused(command.errorMessage ?? "The computer did not do it.")
            default: continue
            }
        }
        throw RemoteError.notConnected
    }
}

/// A phone's status. The members' names are those that `--json` prints.
package struct PhoneStatus: Codable, Hashable, Sendable {
    package var role = "phone"
    package var did: String
    package var deviceId: String
    package var fingerprint: String
    package var name: String
    package var version: String
    package var servers: [Server]

    /// A signaling server where computers are met.
    package struct Server: Codable, Hashable, Sendable {
        package var url: String
        package var state: String
        /// Why it is not reached, and since when in milliseconds since 1970.
        package var reason: String?
        package var since: Int64?

        init(_ server: SignalNetwork.Server) {
            url = server.url.absoluteString
            state =
                switch server.state {
                case .disconnected: "disconnected"
                case .connecting: "connecting"
                case .connected: "connected"
                case .registered: "registered"
                case .waiting: "waiting"
                case .replaced: "replaced"
                case .refused(let error): "refused: \(error)"
                }
            reason = server.problem?.reason
            since = server.problem?.since.millisecondsSince1970
        }
    }
}
