import Foundation
import Kernel
import KernelTesting
import Logging
import Pairing
import PairingTesting
import Sealing
import Signaling
import SignalingTesting
import Testing

@Suite("Pairing over signaling clients", .timeLimit(.minutes(4)))
struct SignalGateTests {
    private static let silence = Logger(label: "tandem.pairing.tests") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameter client: A client of `relay` that is not connected yet; a new one when nil.
    private func host(
        over relay: InMemoryRelay,
        through client: InMemorySignalClient? = nil,
        identity: Identity,
        clock: ManualClock
    ) async throws -> PairingHost {
        let client = client ?? relay.client()
        try await client.start(as: PairingScene.desktopID)
        let url = try #require(PairingScene.relayURL)
        return PairingHost(
            PairingHostDependencies(
                own: OwnDevice(
                    identity: identity,
                    deviceID: PairingScene.desktopID,
                    info: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "5.0.3")
                ),
                gates: [SignalClientPairingGate(client, category: .desktop)],
                aliasGate: SignalClientAliasGate(addresses: { [url] }, makeClient: { _ in relay.client() }),
                bus: PairingMessageBus(),
                phones: InMemoryPairingStore<PairedPhone>(),
                iceServers: IceServersProvider(),
                addresses: { .init(signalingURL: nil, relayURL: url) },
                sendForget: { _ in },
                acceptsEverybody: true,
                time: clock,
                logger: Self.silence
            )
        )
    }

    private func phone(over client: InMemorySignalClient, identity: Identity, clock: ManualClock) throws -> PhonePairing
    {
        let address = try SignalingAddress(try #require(PairingScene.relayURL).absoluteString)
        return PhonePairing(
            PairingDependencies(
                identity: { identity },
                deviceID: PairingScene.phoneDeviceID,
                deviceInfo: PairingDeviceInfo(name: "My iPhone", platform: .iOS),
                gate: SignalClientPairingGate(client, category: .mobile),
                bus: PairingMessageBus(),
                desktops: InMemoryPairingStore<PairedDesktop>(),
                addresses: { [address] },
                sendForget: { _ in },
                time: clock,
                logger: Self.silence
            )
        )
    }

    @Test("scanning, typing and showing pair over the clients that everything else uses too")
    func everyWay() async throws {
        let relay = InMemoryRelay()
        let clock = ManualClock()
        let (desktopIdentity, phoneIdentity) = (Identity(), Identity())
        let host = try await host(over: relay, identity: desktopIdentity, clock: clock)
        let client = relay.client()
        let phone = try phone(over: client, identity: phoneIdentity, clock: clock)
        let tasks = [Task { await host.run() }, Task { await phone.run() }]
        defer { for task in tasks { task.cancel() } }

        let scanned = try await phone.pair(with: try phone.read(try await host.makeCode().qrText))
        #expect(scanned.agreementKey == desktopIdentity.agreementKey)

        let shown = try await host.makeCode()
        let typed = try #require(shown.typed)
        let desktop = try await phone.pair(typing: typed)
        #expect(desktop.agreementKey == desktopIdentity.agreementKey)

        let code = try await phone.makeCode()
        let waiting = Task { try await phone.desktopScanning(code) }
        let paired = try await host.pair(with: try host.read(code.text))
        #expect(paired.agreementKey == phoneIdentity.agreementKey)
        #expect(try await waiting.value.agreementKey == desktopIdentity.agreementKey)
    }

    @Test("a refusal makes no contact of whoever gets it, and what belongs to a pairing does")
    func contacts() async throws {
        let relay = InMemoryRelay()
        let clock = ManualClock()
        let desktop = relay.client()
        let host = try await host(over: relay, through: desktop, identity: Identity(), clock: clock)
        let phone = try phone(over: relay.client(), identity: Identity(), clock: clock)
        let tasks = [Task { await host.run() }, Task { await phone.run() }]
        defer { for task in tasks { task.cancel() } }

        let digits = try await host.makeCode().qr.code.digits
        let did = "did:key:z6MkStranger"
        let stranger = relay.client()
        try await stranger.start(as: did)
        var events = stranger.messages().makeAsyncIterator()
        let ack: JSONValue = [
            "type": "pair-ack", "pairingCode": .string(digits == "100000" ? "100001" : "100000"),
            "mobileDid": .string(did),
            "deviceInfo": ["deviceId": "b1d6c3a2", "name": "My iPhone", "platform": "ios"], "timestamp": 0,
        ]
        try await stranger.send(SignalMessage(to: PairingScene.desktopID, payload: ack))
        var answer: JSONValue?
        while answer == nil, let event = await events.next() {
            if case .message(let message) = event { answer = message.payload }
        }
        #expect(answer?["reason"] == "wrong-code")
        #expect(desktop.sent.map(\.makesContact) == [false])

        try await phone.pair(with: try phone.read(try await host.makeCode().qrText))
        let later = desktop.sent.dropFirst()
        #expect(later.contains { $0.payload["type"] == "pairing:confirmation" })
        #expect(later.allSatisfy { $0.makesContact })
    }

    @Test("what is above 16 KiB, or not pairing's, never waits for pairing", arguments: [16 * 1024, 1024 * 1024])
    func largeMessages(size: Int) throws {
        func event(_ payload: JSONValue, kind: SignalKind = .message) -> PairingGateEvent? {
            PairingGateEvent(.message(ReceivedMessage(from: "stranger", kind: kind, payload: payload)))
        }
        let ack: JSONValue = ["type": "pair-ack", "pairingCode": "482915"]
        #expect(event(ack) == .message(from: "stranger", payload: ack))
        #expect(event(.string(ack.canonicalText)) == .message(from: "stranger", payload: .string(ack.canonicalText)))
        #expect(event(["type": "chainlesschain:command:request"]) == nil)

        let filler = JSONValue.string(String(repeating: "x", count: size))
        let zeros = JSONValue.array(Array(repeating: 0, count: size / 2))
        for large in [filler, zeros, .array(Array(repeating: [:], count: size / 3))] {
            let payload = ack.adding("deviceInfo", ["more": large])
            #expect(event(payload) == nil)
            #expect(event(.string(payload.canonicalText)) == nil)
            #expect(event(["pairingCode": "482915", "more": large], kind: .pairingConfirmation) == nil)
        }
    }

    @Test("a connection that was lost and came back makes the phone ask again")
    func reconnecting() async throws {
        let relay = InMemoryRelay()
        let client = relay.client()
        let gate = SignalClientPairingGate(client, category: .mobile)
        var events = gate.events().makeAsyncIterator()
        try await gate.connect(to: try #require(PairingScene.relayURL))
        try await gate.register(as: "did:key:z6MkExampleA", device: PairingDeviceInfo(name: "x", platform: .iOS))
        try await gate.send(["type": "pair-ack"], to: "nobody")
        #expect(await events.next() == .peerOffline(id: "nobody"))
        relay.stop()
        #expect(await events.next() == .disconnected(reason: "the connection was lost"))
        relay.restart()
        try await client.reconnect()
        #expect(await events.next() == .reconnected)
    }
}
