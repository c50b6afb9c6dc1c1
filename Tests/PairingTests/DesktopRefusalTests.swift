import Foundation
import GRDB
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Rights
import Sealing
import Storage
import Testing

@Suite("What the computer refuses", .timeLimit(.minutes(4)))
struct DesktopRefusalTests {
    private let phoneDID = Identity().did.text

    private func ack(_ code: String, from did: String, seal: JSONValue? = nil, at timestamp: Int64 = 0) -> JSONValue {
        var members: [String: JSONValue] = [
            "type": "pair-ack", "pairingCode": .string(code), "mobileDid": .string(did),
            "deviceInfo": ["deviceId": "b1d6c3a2", "name": "My iPhone", "platform": "ios"],
            "timestamp": .integer(timestamp),
        ]
        members["e2e"] = seal
        return .object(members)
    }

    /// Delivers `payload` to the computer, and waits for what the computer answers to `recipient`.
    private func answer(to payload: JSONValue, from sender: String, in scene: PairingScene) async -> JSONValue? {
        func answers() -> [JSONValue] {
            scene.relay.frames.map(\.payload).filter {
                $0["type"] == "pairing:confirmation" || $0["type"] == "pairing:reject"
            }
        }
        let before = answers().count
        scene.relay.inject(.init(from: sender, to: PairingScene.desktopID, payload: payload))
        while !Task.isCancelled, answers().count == before { await Task.yield() }
        return answers().last
    }

    @Test("five wrong codes end what their sender may try, and neither the QR code nor the digits of others")
    func wrongCodes() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let shown = try await scene.host.makeCode()
        let wrong = shown.qr.code.digits == "100000" ? "100001" : "100000"
        for attempt in 1...5 {
            let reply = await answer(to: ack(wrong, from: phoneDID, at: Int64(attempt)), from: phoneDID, in: scene)
            #expect(reply?["type"] == "pairing:reject")
            #expect(reply?["reason"] == "wrong-code")
        }
        let status = await scene.host.status()
        #expect(status.code == .shown(shown))
        #expect(status.isSuspicious)
        #expect(status.typedCodesLockedUntil == nil)
        let seal: JSONValue = [
            "v": 1, "cp": ["n": .string(Base64URL.encode([UInt8](repeating: 1, count: 16))), "digits": 10],
        ]
        let barred = ack(shown.qr.code.digits, from: phoneDID, seal: seal)
        #expect(await answer(to: barred, from: phoneDID, in: scene)?["reason"] == "locked")
        let typed = try #require(shown.typed)
        #expect(try await scene.phone.pair(typing: typed).did == scene.desktopIdentity.did)
    }

    @Test("however many forged frames come, under however many names, the QR code can be scanned")
    func flood() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let shown = try await scene.host.makeCode()
        for number in 0..<300 {
            let did = "did:key:z6Mk\(number)"
            let forged: JSONValue = ["v": 1, "hs": .string(Base64URL.encode([UInt8](repeating: 7, count: 200)))]
            let frame = ack(
                number.isMultiple(of: 2) ? shown.qr.code.digits : "100001",
                from: did,
                seal: forged,
                at: Int64(number)
            )
            scene.relay.inject(.init(from: did, to: PairingScene.desktopID, payload: frame))
        }
        #expect(try await scene.phone.pair(with: scene.phone.read(shown.qrText)).did == scene.desktopIdentity.did)
    }

    @Test("five wrong codes of anybody end what may be paired in the clear, where six digits are all there is to guess")
    func wrongCodesInTheClear() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode(options: PairingOptions(allowsDocumentedPeers: true))
        let wrong = shown.qr.code.digits == "100000" ? "100001" : "100000"
        for number in 0..<5 {
            let did = "did:key:z6Mk\(number)"
            _ = await answer(to: ack(wrong, from: did), from: did, in: scene)
        }
        let reply = await answer(to: ack(shown.qr.code.digits, from: phoneDID), from: phoneDID, in: scene)
        #expect(reply?["reason"] == "e2e-required")
        #expect(await scene.host.requests().isEmpty)
    }

    @Test("malformed frames are worth one line of the log a second, with their number")
    func malformedFlood() async throws {
        let lines = LogLines()
        let scene = try await PairingScene(logger: lines.logger)
        for _ in 0..<200 {
            scene.relay.inject(.init(from: phoneDID, to: PairingScene.desktopID, payload: ["type": "pair-ack"]))
        }
        // Whatever came before is done with once this is answered.
        _ = await answer(to: ack("000000", from: phoneDID), from: phoneDID, in: scene)
        func dropped() -> [String] { lines.all.filter { $0.hasPrefix("pairing messages dropped") } }
        #expect(dropped() == ["pairing messages dropped: not in the documented form count=1"])
        await scene.clock.sleeper(for: .seconds(1))
        scene.clock.advance(by: .seconds(1))
        while !Task.isCancelled, dropped().count < 2 { await Task.yield() }
        #expect(dropped().last == "pairing messages dropped: not in the documented form count=199")
    }

    @Test("a code with letters is a wrong code")
    func letters() async throws {
        let scene = try await PairingScene()
        try await scene.host.makeCode()
        let reply = await answer(to: ack("48O915", from: phoneDID), from: phoneDID, in: scene)
        #expect(reply?["reason"] == "wrong-code")
    }

    @Test("a code is over after five minutes of the computer's clock, whatever the phone says the time is")
    func expiry() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        await scene.clock.sleepers(1)
        scene.clock.advance(by: .seconds(301))
        #expect(try await scene.status { $0.code == .expired }.requests == [])
        let reply = await answer(
            to: ack(shown.qr.code.digits, from: phoneDID, at: scene.clock.date.millisecondsSince1970),
            from: phoneDID,
            in: scene
        )
        #expect(reply?["reason"] == "expired")
    }

    @Test("an ack in the clear is refused while nobody allowed it")
    func clearAck() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        let reply = await answer(to: ack(shown.qr.code.digits, from: phoneDID), from: phoneDID, in: scene)
        #expect(reply?["reason"] == "e2e-required")
        #expect(await scene.host.requests().isEmpty)
    }

    @Test("an ack in the clear is asked about when it was allowed, marked as such, and confirmed")
    func allowedClearAck() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode(options: PairingOptions(allowsDocumentedPeers: true))
        scene.relay.inject(
            .init(from: phoneDID, to: PairingScene.desktopID, payload: ack(shown.qr.code.digits, from: phoneDID))
        )
        let request = try await scene.request()
        #expect(!request.isEndToEnd)
        let phone = try await scene.host.accept(request.id)
        #expect(phone.state == .unconfirmed)
        #expect(phone.agreementKey == nil)
        #expect(phone.allowedSkills == PairingScene.initialRights)
        let confirmation = try #require(
            scene.relay.frames.first { $0.payload["type"] == "pairing:confirmation" && $0.to == phoneDID }
        )
        #expect(confirmation.payload["pcPeerId"] == .string(PairingScene.desktopID))
        #expect(confirmation.payload["e2e"] == nil)
    }

    @Test("a phone that is known to seal is not paired in the clear, even when that was allowed")
    func downgrade() async throws {
        let scene = try await PairingScene()
        let known = Identity()
        let now = scene.clock.date
        try await scene.phones.save(
            PairedPhone(
                did: known.did,
                deviceID: "other",
                name: "My iPhone",
                platform: .iOS,
                agreementKey: known.agreementKey,
                pairedAt: now,
                lastSeenAt: now,
                state: .confirmed
            )
        )
        let shown = try await scene.host.makeCode(options: PairingOptions(allowsDocumentedPeers: true))
        let reply = await answer(to: ack(shown.qr.code.digits, from: known.did.text), from: known.did.text, in: scene)
        #expect(reply?["reason"] == "e2e-required")
    }

    @Test("an ack whose server-side sender is somebody else is refused in the clear")
    func claimedSender() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode(options: PairingOptions(allowsDocumentedPeers: true))
        let reply = await answer(to: ack(shown.qr.code.digits, from: phoneDID), from: "mallory", in: scene)
        #expect(reply?["reason"] == "handshake-failed")
        #expect(await scene.host.requests().isEmpty)
    }

    @Test("a handshake that proves nothing is refused, and its repeat is answered the same and counts once")
    func forgedHandshake() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        let payload = ack(
            shown.qr.code.digits,
            from: phoneDID,
            seal: ["v": 1, "hs": .string(Base64URL.encode([UInt8](repeating: 7, count: 200)))]
        )
        var replies: Set<JSONValue?> = []
        for _ in 0..<6 { replies.insert(await answer(to: payload, from: phoneDID, in: scene)) }
        #expect(replies.count == 1)
        #expect(replies.first??["reason"] == "handshake-failed")
        #expect(await scene.host.status().code == .shown(shown))
    }

    @Test(
        "what is no pairing message is dropped, and the code stays valid",
        arguments: [
            #"{"type":"pair-ack"}"#, #"{"type":"pair-ack","pairingCode":7,"mobileDid":[]}"#,
            #"{"type":"pairing:e2e","pairingCode":"482915"}"#, #"{"type":"pairing:reject"}"#,
            #"{"type":"pair-ack","pairingCode":"482915","mobileDid":"did:key:z6Mk","e2e":{"v":1,"hs":"%%%"}}"#,
        ]
    )
    func malformed(text: String) async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        let payload = try JSONValue(parsing: text.utf8)
        scene.relay.inject(.init(from: phoneDID, to: PairingScene.desktopID, payload: payload))
        scene.relay.inject(.init(from: phoneDID, to: PairingScene.desktopID, payload: .string(text)))
        // Whatever came before is done with once this is answered.
        _ = await answer(to: ack("000000", from: phoneDID), from: phoneDID, in: scene)
        #expect(await scene.host.status().code == .shown(shown))
    }

    @Test("a replayed ack gets the same answer, and after the phone was forgotten it does not come back")
    func replay() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        try await scene.phone.pair(with: qr)
        let sent = try #require(scene.lan.frames.first { $0.payload["type"] == "pair-ack" })
        let first = try #require(scene.lan.frames.first { $0.payload["type"] == "pairing:confirmation" })
        let repeated = await answer(to: sent.payload, from: scene.phoneIdentity.did.text, in: scene)
        #expect(repeated == first.payload)
        try await scene.host.forget(scene.phoneIdentity.did)
        let late = await answer(to: sent.payload, from: scene.phoneIdentity.did.text, in: scene)
        #expect(late?["reason"] == "expired")
        #expect(try await scene.phones.all().isEmpty)
        #expect(await scene.told.phones == [scene.phoneIdentity.did])
    }

    @Test("a phone whose record cannot be removed is not told that it is forgotten: both stay paired")
    func forgetFails() async throws {
        let database = try StateDatabase.inMemory(schema: [SQLitePairingStore<PairedPhone>.migrations])
        let scene = try await PairingScene(
            acceptsEverybody: true,
            phones: try SQLitePairingStore<PairedPhone>(database)
        )
        try await scene.phone.pair(with: try scene.phone.read(try await scene.host.makeCode().qrText))
        try await database.refuseRemoval(from: "pairedPhone")
        await #expect(throws: StorageError.self) { try await scene.host.forget(scene.phoneIdentity.did) }
        #expect(await scene.told.phones.isEmpty)
        #expect(try await scene.phones.all().map(\.did) == [scene.phoneIdentity.did])
    }

    @Test("a second phone with the same code is told that it is used")
    func secondPhone() async throws {
        let scene = try await PairingScene()
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        let request = try await scene.request()
        let busy = await answer(to: ack(qr.code.digits, from: phoneDID), from: phoneDID, in: scene)
        #expect(busy?["reason"] == "busy")
        try await scene.host.accept(request.id)
        _ = try await pairing.value
        let over = await answer(to: ack(qr.code.digits, from: phoneDID), from: phoneDID, in: scene)
        #expect(over?["reason"] == "expired")
    }

    @Test("a phone whose confirmation was lost is swept after five minutes")
    func sweep() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        scene.lan.tamper { $0.payload["type"] == "pairing:confirmation" ? [] : [$0] }
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        for await list in scene.phones.list() where !list.isEmpty { break }
        pairing.cancel()
        await #expect(throws: CancellationError.self) { try await pairing.value }
        await scene.clock.sleepers(1)
        scene.clock.advance(by: .seconds(301))
        for await list in scene.phones.list() where list.isEmpty { break }
        #expect(try await scene.phones.all().isEmpty)
        #expect(try await scene.desktops.all().isEmpty)
    }

    @Test("a known device with another key is shown as such, and not accepted by itself")
    func identityChange() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let earlier = Identity()
        let now = scene.clock.date
        try await scene.phones.save(
            PairedPhone(
                did: earlier.did,
                deviceID: PairingScene.phoneDeviceID,
                name: "Old iPhone",
                platform: .iOS,
                agreementKey: earlier.agreementKey,
                pairedAt: now,
                lastSeenAt: now,
                state: .confirmed
            )
        )
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        let request = try await scene.request()
        #expect(request.identityChange?.knownName == "Old iPhone")
        #expect(request.identityChange?.knownFingerprint == earlier.did.fingerprint)
        try await scene.host.accept(request.id)
        _ = try await pairing.value
        #expect(try await scene.phones.all().count == 2)
        try await scene.host.confirmed(by: scene.phoneIdentity.did)
        #expect(try await scene.phones.all().map(\.did) == [scene.phoneIdentity.did])
    }

    @Test("a request that nobody decides is over after five minutes")
    func undecided() async throws {
        let scene = try await PairingScene()
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        let request = try await scene.request()
        await scene.clock.sleepers(2)
        scene.clock.advance(by: .seconds(301))
        _ = try await scene.status { $0.requests.isEmpty }
        await #expect(throws: PairingError.unknownRequest) { try await scene.host.accept(request.id) }
        await #expect(throws: PairingError.self) { try await pairing.value }
        #expect(try await scene.phones.all().isEmpty)
    }
}
