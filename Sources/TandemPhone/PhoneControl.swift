public import Control
import Foundation
public import Kernel
import Pairing
import Sealing
import Signaling
import Transport

/// What commands on a phone's state folder can ask. The names and members are those that `--json` prints.
public struct PhoneControl: ControlHandler {
    let phone: Phone

    public init(phone: Phone) {
        self.phone = phone
    }

    public func handle(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        switch request.method {
        case "status": await status()
        case "pair.show": try await show(request)
        case "pair.follow": try await follow(report: report)
        case "pair.scan": try await scan(request, report: report)
        case "pair.code": try await type(request, report: report)
        case "devices.list": try await list()
        case "devices.show": await describe(try await phone.desktop(named: request.text("id")))
        case "devices.forget": try await forget(request)
        case "call": try await call(request)
        case "queue.list": try await listQueue()
        case "queue.remove": try await removeFromQueue(request)
        case "queue.retry": try await retryInQueue(request)
        case "queue.clear": try await clearQueue(request)
        case "queue.call": try await queueCall(request)
        case "files.get": try await getFiles(request, report: report)
        case "files.put": try await putFiles(request, report: report)
        default: throw ControlError.unknownMethod(request.method)
        }
    }

    public func handle(
        _ request: ControlRequest,
        input: ControlInput,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        switch request.method {
        case "terminal.open": try await openTerminal(request, input: input, report: report)
        default: try await handle(request, report: report)
        }
    }

    private func status() async -> JSONValue {
        let servers = await phone.serverStates().map { url, state -> JSONValue in
            ["url": .string(url.absoluteString), "state": .string(Self.word(for: state))]
        }
        return [
            "role": "phone", "did": .string(phone.identity.did), "deviceId": .string(phone.identity.deviceID),
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
        let code = try await phone.showCode(options: Self.options(request))
        return [
            "payload": .string(code.text), "code": .string(code.qr.code.digits),
            "expiresAt": .integer(code.expiresAt.millisecondsSince1970),
        ]
    }

    /// Reports what becomes of the code that is shown.
    private func follow(report: @escaping @Sendable (JSONValue) async throws -> Void) async throws -> JSONValue {
        for await outcome in phone.shownCodeOutcomes() {
            switch outcome {
            case .success(let desktop): try await report(["event": "paired", "name": .string(desktop.deviceName)])
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
        try await report(["event": "sending", "message": .string("Telling \(qr.deviceInfo.name); say yes there.")])
        let options = try Self.options(request)
        let desktop = try await phone.pairing.pair(with: qr, options: options) { await Self.pass($0, to: report) }
        return await describe(desktop)
    }

    private func type(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let code = try TypedCode(request.text("digits"))
        let options = try Self.options(request)
        let typed = try request.optionalText("url").map(SignalingAddress.init)
        let desktop = try await AddressBook.$typed.withValue(typed) {
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
            case .waiting(let until):
                [
                    "event": "waiting", "until": .integer(until.millisecondsSince1970),
                    "message": "Waiting for the person at the computer.",
                ]
            case .compare(let number):
                [
                    "event": "compare", "number": .string(number),
                    "message": .string("The computer must show the same number: \(number)"),
                ]
            }
        // Whoever stopped listening still gets paired or not; there is nobody left to tell.
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
            "endToEnd": .bool(desktop.isEndToEnd),
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
