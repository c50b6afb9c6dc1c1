import Foundation
import GRDB
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Storage
import Testing

@Suite("What the phone does when a pairing does not go well", .timeLimit(.minutes(4)))
struct PhoneRefusalTests {
    @Test("a computer that is not on the local network is reached through the relay, with the same bytes")
    func fallback() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        scene.lan.isUp = false
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let desktop = try await scene.phone.pair(with: qr)
        #expect(scene.phoneGate.attempts == [PairingScene.lanURL, PairingScene.relayURL])
        #expect(desktop.lanSignalingURL == PairingScene.lanURL)
        #expect(desktop.relayURL == PairingScene.relayURL)
    }

    @Test("when both ways fail, both reasons are given and nothing is kept")
    func unreachable() async throws {
        let scene = try await PairingScene()
        scene.lan.isUp = false
        scene.relay.isUp = false
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let reason = "The server refused the connection"
        await #expect(
            throws: PairingError.unreachable([
                PairingAttempt(way: .lan, reason: reason), PairingAttempt(way: .relay, reason: reason),
            ])
        ) { try await scene.phone.pair(with: qr) }
        #expect(try await scene.desktops.all().isEmpty)
    }

    @Test("a computer that is not connected is said to be so at once")
    func offline() async throws {
        let scene = try await PairingScene()
        let text = try await scene.host.makeCode().qrText.replacing(
            PairingScene.desktopID,
            with: "ffffffffffffffffffffffffffffffff"
        )
        let qr = try scene.phone.read(text)
        await #expect(throws: PairingError.deviceOffline(name: "studio-pc")) { try await scene.phone.pair(with: qr) }
    }

    @Test("a confirmation that was lost is given again when the phone asks again, and both are paired")
    func lostConfirmation() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        scene.lan.tamper { $0.payload["type"] == "pairing:confirmation" ? [] : [$0] }
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        while !Task.isCancelled, !scene.lan.frames.contains(where: { $0.payload["type"] == "pairing:confirmation" }) {
            await Task.yield()
        }
        scene.lan.tamper { [$0] }
        // The computer's clockwork, and the phone's.
        await scene.clock.sleepers(2)
        scene.clock.advance(by: .seconds(15))
        #expect(try await pairing.value.did == scene.desktopIdentity.did)
        #expect(try await scene.phones.all().count == 1)
    }

    @Test("a forged confirmation, without a seal or with a made-up one, changes nothing")
    func forgedConfirmation() async throws {
        let scene = try await PairingScene()
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        let request = try await scene.request()
        for seal: JSONValue in [.null, ["v": 1, "hs": "AAAA"], ["v": 1]] {
            scene.lan.inject(
                .init(
                    from: PairingScene.desktopID,
                    to: scene.phoneIdentity.did.text,
                    payload: [
                        "type": "pairing:confirmation", "pairingCode": .string(qr.code.digits), "pcPeerId": "mallory",
                        "deviceInfo": ["name": "studio-pc", "platform": "linux"], "timestamp": 0, "e2e": seal,
                    ]
                )
            )
        }
        try await scene.host.accept(request.id)
        #expect(try await pairing.value.agreementKey == scene.desktopIdentity.agreementKey)
    }

    @Test("a computer known with another key stops the phone before it says anything, until the person accepts it")
    func keyChanged() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let earlier = Identity()
        let now = scene.clock.date
        try await scene.desktops.save(
            PairedDesktop(
                pcPeerID: PairingScene.desktopID,
                deviceName: "studio-pc",
                pairedAt: now,
                lastSeenAt: now,
                did: earlier.did,
                agreementKey: earlier.agreementKey,
                state: .confirmed
            )
        )
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        await #expect(throws: PairingError.keyChanged(name: "studio-pc")) { try await scene.phone.pair(with: qr) }
        #expect(scene.phoneGate.attempts.isEmpty)
        let desktop = try await scene.phone.pair(with: qr, options: PairingOptions(acceptsNewIdentity: true))
        #expect(desktop.agreementKey == scene.desktopIdentity.agreementKey)
        #expect(desktop.pairedAt == now)
    }

    @Test("the phone waits only for what it sent: a pairing that is refused here, or reaches no server, never says so")
    func nothingSent() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        // How many acks were sent at each report that the phone waits.
        let waits = LatestValue<[Int]>([])
        @Sendable func pair(_ text: String, _ options: PairingOptions = PairingOptions()) async throws {
            try await scene.phone.pair(with: try scene.phone.read(text), options: options) { progress in
                guard case .waiting = progress else { return }
                let frames = scene.lan.frames + scene.relay.frames
                waits.update { $0.append(frames.count { $0.payload["type"] == "pair-ack" }) }
            }
        }
        let earlier = Identity()
        let now = scene.clock.date
        try await scene.desktops.save(
            PairedDesktop(
                pcPeerID: PairingScene.desktopID,
                deviceName: "studio-pc",
                pairedAt: now,
                lastSeenAt: now,
                did: earlier.did,
                agreementKey: earlier.agreementKey,
                state: .confirmed
            )
        )
        let text = try await scene.host.makeCode().qrText
        await #expect(throws: PairingError.keyChanged(name: "studio-pc")) { try await pair(text) }
        let unsealed =
            #"{"type":"desktop-pairing","code":"482915","pcPeerId":"desk-7","deviceInfo":{"name":"old-pc","#
            + #""platform":"darwin"},"timestamp":1790000000000,"signalingUrl":"ws://192.168.7.20:9001"}"#
        await #expect(throws: PairingError.notEndToEnd(name: "old-pc")) { try await pair(unsealed) }
        let options = PairingOptions(acceptsNewIdentity: true)
        (scene.lan.isUp, scene.relay.isUp) = (false, false)
        await #expect(throws: PairingError.self) { try await pair(text, options) }
        #expect(waits.value.isEmpty)
        (scene.lan.isUp, scene.relay.isUp) = (true, true)
        try await pair(text, options)
        #expect(waits.value == [1])
    }

    @Test("a computer whose code cannot seal is told once, and marked as not end to end, only when that was allowed")
    func documentedDesktop() async throws {
        let scene = try await PairingScene()
        let text =
            #"{"type":"desktop-pairing","code":"482915","pcPeerId":"9f0c6a1be2d34775a1c0ffee00d15ea5","#
            + #""deviceInfo":{"name":"old-pc","platform":"darwin","version":"5.0.3"},"timestamp":1790000000000,"#
            + #""signalingUrl":"ws://192.168.7.20:9001","iceServers":[{"urls":"stun:turn.example.net:3478","x":1}],"#
            + #""iceExpiry":1790086400}"#
        let qr = try scene.phone.read(text)
        await #expect(throws: PairingError.notEndToEnd(name: "old-pc")) { try await scene.phone.pair(with: qr) }
        // The computer of the scene has the code's id and never showed it.
        scene.lan.tamper { $0.payload["type"] == "pairing:reject" ? [] : [$0] }
        let pairing = Task {
            try await scene.phone.pair(with: qr, options: PairingOptions(allowsDocumentedPeers: true))
        }
        await scene.pass(seconds: 1)
        let desktop = try await pairing.value
        #expect(desktop.state == .unconfirmed)
        #expect(!desktop.isEndToEnd)
        #expect(desktop.iceServersJSON == #"[{"urls":"stun:turn.example.net:3478","x":1}]"#)
        #expect(desktop.iceExpirySeconds == 1_790_086_400)
        let ack = try #require(scene.lan.frames.first?.payload)
        #expect(
            ack == [
                "type": "pair-ack", "pairingCode": "482915", "mobileDid": .string(scene.phoneIdentity.did.text),
                "deviceInfo": [
                    "deviceId": .string(PairingScene.phoneDeviceID), "name": "My iPhone", "platform": "ios",
                ],
                "timestamp": 1_790_000_001_000,
            ]
        )
    }

    @Test("an address out on the internet without TLS is not used")
    func unsafeAddress() async throws {
        let scene = try await PairingScene()
        let text = try await scene.host.makeCode().qrText
            .replacing("ws://192.168.7.20:9001", with: "ws://203.0.113.7:9001")
            .replacing("wss://relay.example.net", with: "http://relay.example.net")
        let qr = try scene.phone.read(text)
        await #expect(throws: PairingError.self) { try await scene.phone.pair(with: qr) }
        #expect(scene.phoneGate.attempts.isEmpty)
    }

    @Test("fresh ICE servers of a paired computer are kept as they came, and a stranger's are not")
    func iceServers() async throws {
        let scene = try await PairingScene(acceptsEverybody: true, turnSecret: Array("north-secret".utf8))
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        try await scene.phone.pair(with: qr)
        let list = try await scene.desktopList { $0.first?.iceServersJSON != nil }
        #expect(list.first?.iceExpirySeconds == Int64(scene.clock.date.timeIntervalSince1970) + 86_400)
        let kept = try #require(list.first?.iceServersJSON)
        scene.lan.inject(
            .init(
                from: "mallory",
                to: scene.phoneIdentity.did.text,
                payload: [
                    "type": "chainlesschain:ice:config",
                    "payload": [
                        "pcPeerId": .string(PairingScene.desktopID), "iceServers": [["urls": ["turn:evil.example"]]],
                        "iceExpiry": 1, "timestamp": 1,
                    ],
                ]
            )
        )
        scene.lan.inject(
            .init(
                from: PairingScene.desktopID,
                to: scene.phoneIdentity.did.text,
                payload: [
                    "type": "chainlesschain:ice:config",
                    "payload": [
                        "pcPeerId": .string(PairingScene.desktopID),
                        "iceServers": [["urls": "turn:turn.example.net:3478", "later": true]], "iceExpiry": 7,
                        "timestamp": 1,
                    ],
                ]
            )
        )
        let fresh = try await scene.desktopList { $0.first?.iceServersJSON != kept }
        #expect(fresh.first?.iceServersJSON == #"[{"later":true,"urls":"turn:turn.example.net:3478"}]"#)
        #expect(fresh.first?.iceExpirySeconds == 7)
    }

    @Test("ICE servers are pushed again after twelve hours of a phone's activity, and not before")
    func iceRefresh() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        try await scene.phone.pair(with: qr)
        let did = scene.phoneIdentity.did
        try await scene.host.confirmed(by: did)
        func pushes() -> Int { scene.lan.frames.filter { $0.payload["type"] == "chainlesschain:ice:config" }.count }
        _ = try await scene.desktopList { $0.first?.iceServersJSON != nil }
        #expect(pushes() == 1)
        try await scene.host.noteActivity(of: did)
        #expect(pushes() == 1)
        scene.clock.advance(by: .seconds(12 * 3600))
        try await scene.host.noteActivity(of: did)
        #expect(pushes() == 2)
        try await scene.host.noteActivity(of: Identity().did)
        #expect(pushes() == 2)
    }

    @Test("forgetting a computer tells it, and removes it")
    func forget() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        try await scene.phone.pair(with: try scene.phone.read(try await scene.host.makeCode().qrText))
        try await scene.phone.forgetAll()
        #expect(await scene.told.desktops == [PairingScene.desktopID])
        #expect(try await scene.desktops.all().isEmpty)
    }

    @Test("a computer whose record cannot be removed is not told that it is forgotten: both stay paired")
    func forgetFails() async throws {
        let database = try StateDatabase.inMemory(schema: [SQLitePairingStore<PairedDesktop>.migrations])
        let scene = try await PairingScene(
            acceptsEverybody: true,
            desktops: try SQLitePairingStore<PairedDesktop>(database)
        )
        try await scene.phone.pair(with: try scene.phone.read(try await scene.host.makeCode().qrText))
        try await database.refuseRemoval(from: "pairedDesktop")
        await #expect(throws: StorageError.self) { try await scene.phone.forget(PairingScene.desktopID) }
        #expect(await scene.told.desktops.isEmpty)
        #expect(try await scene.desktops.all().map(\.pcPeerID) == [PairingScene.desktopID])
    }
}
