import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Testing

@Suite("A phone takes its request back", .timeLimit(.minutes(4)))
struct WithdrawalTests {
    private static let type: JSONValue = "pairing:withdraw"

    private func isWithdrawal(_ frame: PairingSwitchboard.Frame) -> Bool { frame.payload["type"] == Self.type }

    /// What the phone asked in `scene` last: the ack with a handshake, or the last step of the typed code.
    private func question(in scene: PairingScene) throws -> JSONValue {
        let asked = (scene.lan.frames + scene.relay.frames).map(\.payload).filter { payload in
            payload["e2e"]?["hs"] != nil && (payload["type"] == "pair-ack" || payload["e2e"]?["cp"] == nil)
        }
        return try #require(asked.last { $0["type"] == "pair-ack" || $0["type"] == "pairing:e2e" })
    }

    private func withdrawal(
        of question: JSONValue,
        by identity: Identity,
        under did: DID? = nil
    ) throws -> JSONValue {
        let code = try PairingCode(try #require(question["pairingCode"]?.stringValue))
        let signature = try WithdrawalSignature.make(
            identity: identity,
            code: code.digits,
            digest: DesktopPairing.digest(of: question)
        )
        let did = (did ?? identity.did).text
        return try PairingMessage.withdrawal(PairingWithdrawal(code: code, mobileDID: did, signature: signature))
            .payload
    }

    /// Delivers a message to the computer, and returns once it was read.
    private func deliver(_ payload: JSONValue, from sender: String = "mallory", in scene: PairingScene) async {
        let marker = Identity().did.text
        let wrong: JSONValue = [
            "type": "pair-ack", "pairingCode": "100000", "mobileDid": .string(marker),
            "deviceInfo": ["deviceId": "m", "name": "Marker", "platform": "ios"], "timestamp": 0,
        ]
        scene.relay.inject(.init(from: sender, to: PairingScene.desktopID, payload: payload))
        scene.relay.inject(.init(from: marker, to: PairingScene.desktopID, payload: wrong))
        while !Task.isCancelled, !scene.relay.frames.contains(where: { $0.to == marker }) { await Task.yield() }
    }

    @Test(
        "a phone that gives up after it scanned takes its request from the computer at once, and a late repeat brings none back"
    )
    func scanned() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        var news = PairingNews(since: await scene.host.status())
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let request = try await scene.request()
        #expect(news.items(for: await scene.host.status()) == [.request(request)])
        pairing.cancel()
        await #expect(throws: CancellationError.self) { try await pairing.value }
        let status = try await scene.status { $0.requests.isEmpty }
        #expect(status.withdrawn == [request])
        #expect(news.items(for: status) == [.requestWithdrawn(request), .usedUp])
        #expect(news.items(for: status) == [])
        await #expect(throws: PairingError.unknownRequest) { try await scene.host.accept(request.id) }
        // The same ack again, as from a mailbox.
        await deliver(try question(in: scene), from: scene.phoneIdentity.did.text, in: scene)
        #expect(await scene.host.requests().isEmpty)
        #expect(try await scene.phones.all().isEmpty)
        #expect(await !scene.host.status().isSuspicious)
        // Nothing of it is in the way of the next try.
        let again = try await scene.host.makeCode()
        let next = Task { try await scene.phone.pair(with: scene.phone.read(again.qrText)) }
        try await scene.host.accept(try await scene.request().id)
        #expect(try await next.value.pcPeerID == PairingScene.desktopID)
    }

    @Test("so does one whose person typed the digits; it goes to the computer's own id, since the code is gone by then")
    func typed() async throws {
        let scene = try await PairingScene()
        let typed = try #require(try await scene.host.makeCode().typed)
        let pairing = Task { try await scene.phone.pair(typing: typed) }
        let request = try await scene.request()
        pairing.cancel()
        await #expect(throws: CancellationError.self) { try await pairing.value }
        #expect(try await scene.status { $0.requests.isEmpty }.withdrawn == [request])
        #expect(scene.relay.frames.filter(isWithdrawal).map(\.to) == [PairingScene.desktopID])
    }

    @Test(
        "a phone that is told no by a message that nobody signed takes back what the computer's person still looks at"
    )
    func forgedRefusal() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let request = try await scene.request()
        let forged = PairingReject(code: shown.qr.code.digits, reason: .declined)
        let payload = try PairingMessage.reject(forged).payload
        scene.lan.inject(.init(from: "mallory", to: scene.phoneIdentity.did.text, payload: payload))
        await #expect(throws: PairingError.declined(name: "studio-pc")) { try await pairing.value }
        #expect(try await scene.status { $0.requests.isEmpty }.withdrawn == [request])
    }

    @Test("a stranger's withdrawal, one with another's name, and one of an earlier request do nothing")
    func strangers() async throws {
        let scene = try await PairingScene()
        let first = try await scene.host.makeCode()
        let given = Task { try await scene.phone.pair(with: scene.phone.read(first.qrText)) }
        _ = try await scene.request()
        given.cancel()
        _ = await given.result
        let old = try #require(scene.lan.frames.last(where: isWithdrawal)).payload
        _ = try await scene.status { $0.requests.isEmpty }

        let shown = try await scene.host.makeCode()
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let request = try await scene.request()
        let question = try question(in: scene)
        var renamed = old.objectValue ?? [:]
        renamed["pairingCode"] = .string(shown.qr.code.digits)
        var unsigned = renamed
        unsigned["e2e"] = ["v": 1]
        for payload in [
            try withdrawal(of: question, by: Identity()),
            try withdrawal(of: question, by: Identity(), under: scene.phoneIdentity.did),
            old, .object(renamed), .object(unsigned),
        ] {
            await deliver(payload, in: scene)
            #expect(await scene.host.requests() == [request])
        }
        try await scene.host.accept(request.id)
        #expect(try await pairing.value.did == scene.desktopIdentity.did)
    }

    @Test("a yes that the phone had not heard of when it gave up leaves neither side paired, and the computer says why")
    func crossed() async throws {
        let scene = try await PairingScene()
        scene.lan.tamper { $0.payload["type"] == "pairing:confirmation" ? [] : [$0] }
        let shown = try await scene.host.makeCode()
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let request = try await scene.request()
        let phone = try await scene.host.accept(request.id)
        #expect(try await scene.phones.record(phone.did) != nil)
        pairing.cancel()
        await #expect(throws: CancellationError.self) { try await pairing.value }
        #expect(try await scene.status { !$0.withdrawn.isEmpty }.withdrawn == [request])
        #expect(try await scene.phones.all().isEmpty)
        #expect(try await scene.desktops.all().isEmpty)
        #expect(await scene.host.status().lastPaired == nil)
    }

    @Test("a request that is taken back while the yes is written down ends in no pairing, and who said yes is told")
    func crossedWhileSaving() async throws {
        let mayGoOn = LatestValue(false)
        let store = LateSaving<PairedPhone> { for await mayGoOn in mayGoOn.values() where mayGoOn { break } }
        let scene = try await PairingScene(phones: store)
        let shown = try await scene.host.makeCode()
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let request = try await scene.request()
        let accepting = Task { try await scene.host.accept(request.id) }
        while !Task.isCancelled, await !scene.host.status().isSettling { await Task.yield() }
        pairing.cancel()
        _ = await pairing.result
        while !Task.isCancelled, !scene.lan.frames.contains(where: isWithdrawal) { await Task.yield() }
        await deliver(try #require(scene.lan.frames.last(where: isWithdrawal)).payload, in: scene)
        mayGoOn.set(true)
        await #expect(throws: PairingError.requestWithdrawn(name: "My iPhone")) { try await accepting.value }
        #expect(try await scene.phones.all().isEmpty)
        #expect(await scene.host.status().withdrawn == [request])
    }

    @Test("once the phone has shown that it holds the pairing, taking back its request does nothing")
    func tooLate() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let phone = try await scene.host.accept(try await scene.request().id)
        _ = try await pairing.value
        try await scene.host.confirmed(by: phone.did)
        let question = try question(in: scene)
        await deliver(try withdrawal(of: question, by: scene.phoneIdentity), in: scene)
        #expect(try await scene.phones.record(phone.did)?.state == .confirmed)
        #expect(await scene.host.status().withdrawn.isEmpty)
    }

    @Test("a computer that does not know withdrawals keeps the request until its time is over; the phone ends at once")
    func oldComputer() async throws {
        let scene = try await PairingScene()
        // What an old computer does with a message of a type that it never heard of.
        scene.lan.tamper { $0.payload["type"] == Self.type ? [] : [$0] }
        let shown = try await scene.host.makeCode()
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let request = try await scene.request()
        pairing.cancel()
        await #expect(throws: CancellationError.self) { try await pairing.value }
        #expect(await scene.host.requests() == [request])
        try await scene.host.accept(request.id)
        #expect(try await scene.phones.all().count == 1)
        // The phone never comes: what only one side holds goes.
        await scene.pass(seconds: 300)
        while !Task.isCancelled, try await !scene.phones.all().isEmpty { await Task.yield() }
    }

    @Test("a request in the clear, whose name is only claimed, cannot be taken back with a signature")
    func inTheClear() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode(options: PairingOptions(allowsDocumentedPeers: true))
        let did = scene.phoneIdentity.did
        let ack: JSONValue = [
            "type": "pair-ack", "pairingCode": .string(shown.qr.code.digits), "mobileDid": .string(did.text),
            "deviceInfo": ["deviceId": "b1d6c3a2", "name": "Old phone", "platform": "android"], "timestamp": 0,
        ]
        scene.relay.inject(.init(from: did.text, to: PairingScene.desktopID, payload: ack))
        let request = try await scene.request()
        await deliver(try withdrawal(of: ack, by: scene.phoneIdentity), from: did.text, in: scene)
        #expect(await scene.host.requests() == [request])
    }

    @Test("a withdrawal is written as the protocol says, and read back")
    func wire() throws {
        let signature = [UInt8](repeating: 9, count: 64)
        let message = PairingMessage.withdrawal(
            PairingWithdrawal(code: try PairingCode("482913"), mobileDID: "did:key:z6MkExampleA", signature: signature)
        )
        let payload: JSONValue = [
            "type": Self.type, "pairingCode": "482913", "mobileDid": "did:key:z6MkExampleA",
            "e2e": ["v": 1, "wd": .string(Base64URL.encode(signature))],
        ]
        #expect(try message.payload == payload)
        #expect(try PairingMessage(parsing: payload) == message)
        #expect(PairingMessageBus.owns(payload))
    }
}
