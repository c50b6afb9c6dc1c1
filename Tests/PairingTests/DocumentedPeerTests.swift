import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Testing

/// The other end of each of these is written from the documents: frames as JSON, and no code of ours.
@Suite("Pairing with programs that speak only the documented wire", .timeLimit(.minutes(4)))
struct DocumentedPeerTests {
    private static let computerID = "4b1d00c0ffee4b1d00c0ffee4b1d00c0"
    private static let phoneDID = "did:key:z6MkExampleDocumentedPhone"

    /// A connection of such a program.
    private struct Program {
        let gate: InMemoryPairingGate
        let events: AsyncStream<PairingGateEvent>

        init(_ id: String, at url: URL?, _ server: PairingSwitchboard) async throws {
            let url = try #require(url)
            gate = InMemoryPairingGate([url: server])
            events = gate.events()
            try await gate.connect(to: url)
            try await gate.register(as: id, device: PairingDeviceInfo(name: "", platform: .other("")))
        }

        /// The next message, and whom the server names as its sender.
        func message() async throws -> (from: String?, payload: JSONValue) {
            for await case .message(let from, let payload) in events { return (from, payload) }
            throw CancellationError()
        }
    }

    private static func computerCode(relay: Bool = true) throws -> String {
        let relayMember = relay ? #""relayUrl":"wss://relay.example.net","# : ""
        return #"{"type":"desktop-pairing","code":"482915","pcPeerId":"\#(computerID)","#
            + #""deviceInfo":{"name":"old-pc","platform":"darwin","version":"5.0.3"},"timestamp":1790000000000,"#
            + relayMember + #""signalingUrl":"ws://192.168.7.20:9001"}"#
    }

    private static let phoneCode =
        #"{"type":"device-pairing","code":"731604","did":"\#(phoneDID)","#
        + #""deviceInfo":{"deviceId":"b1d6","name":"Old iPhone","platform":"ios"},"timestamp":1790000000000}"#

    private static let unsealed = PairingOptions(allowsDocumentedPeers: true)

    // MARK: The phone scanned

    @Test(
        "a computer that is only at the relay is told there, and not taken for told at the local server that keeps the ack"
    )
    func onlyAtTheRelay() async throws {
        let scene = try await PairingScene()
        let computer = try await Program(Self.computerID, at: PairingScene.relayURL, scene.relay)
        let qr = try scene.phone.read(Self.computerCode())
        let pairing = Task { try await scene.phone.pair(with: qr, options: Self.unsealed) }
        let ack = try await computer.message().payload
        #expect(ack["type"] == "pair-ack")
        #expect(ack["pairingCode"] == "482915")
        await scene.pass(seconds: 1)
        #expect(try await pairing.value.pcPeerID == Self.computerID)
        #expect(scene.phoneGate.attempts == [PairingScene.lanURL, PairingScene.relayURL])
    }

    @Test("a computer that no server knows is not paired, and is said to be away")
    func nowhere() async throws {
        let scene = try await PairingScene()
        let qr = try scene.phone.read(Self.computerCode())
        await #expect(throws: PairingError.deviceOffline(name: "old-pc")) {
            try await scene.phone.pair(with: qr, options: Self.unsealed)
        }
        #expect(try await scene.desktops.all().isEmpty)
    }

    @Test("a server that says nothing about a computer that is away leaves a pairing that nobody has confirmed")
    func silentServer() async throws {
        let scene = try await PairingScene()
        scene.lan.tamper { _ in [] }
        let qr = try scene.phone.read(Self.computerCode())
        let pairing = Task { try await scene.phone.pair(with: qr, options: Self.unsealed) }
        await scene.pass(seconds: 1)
        #expect(try await pairing.value.state == .unconfirmed)
    }

    @Test("a refusal within the second is believed, and nothing is kept")
    func refused() async throws {
        let scene = try await PairingScene()
        let computer = try await Program(Self.computerID, at: PairingScene.lanURL, scene.lan)
        let qr = try scene.phone.read(Self.computerCode())
        let pairing = Task { try await scene.phone.pair(with: qr, options: Self.unsealed) }
        _ = try await computer.message()
        try await computer.gate.send(
            ["type": "pairing:reject", "pairingCode": "482915", "reason": "declined"],
            to: scene.phoneIdentity.did.text
        )
        await #expect(throws: PairingError.declined(name: "old-pc")) { try await pairing.value }
        #expect(try await scene.desktops.all().isEmpty)
    }

    // MARK: The computer scanned

    @Test("a phone that is only at the relay is told there, and paired without being able to seal")
    func phoneOnlyAtTheRelay() async throws {
        let scene = try await PairingScene()
        let phone = try await Program(Self.phoneDID, at: PairingScene.relayURL, scene.relay)
        let qr = try scene.host.read(Self.phoneCode)
        let pairing = Task { try await scene.host.pair(with: qr, options: Self.unsealed) }
        let (from, confirmation) = try await phone.message()
        #expect(from == PairingScene.desktopID)
        #expect(confirmation["type"] == "pairing:confirmation")
        #expect(confirmation["pairingCode"] == "731604")
        #expect(confirmation["pcPeerId"] == .string(PairingScene.desktopID))
        await scene.pass(seconds: 1)
        let paired = try await pairing.value
        #expect(paired.did.text == Self.phoneDID)
        #expect(!paired.isEndToEnd)
    }

    @Test("a phone that no server knows is not paired, and is said to be away by its name")
    func phoneNowhere() async throws {
        let scene = try await PairingScene()
        let qr = try scene.host.read(Self.phoneCode)
        await #expect(throws: PairingError.deviceOffline(name: "Old iPhone")) {
            try await scene.host.pair(with: qr, options: Self.unsealed)
        }
        #expect(try await scene.phones.all().isEmpty)
    }

    @Test("a computer that scanned is kept under the id its server knows it by, not under one of another network")
    func unroutableID() async throws {
        let scene = try await PairingScene()
        let code = try await scene.phone.makeCode(options: Self.unsealed)
        let waiting = Task { try await scene.phone.desktopScanning(code, options: Self.unsealed) }
        let computer = try await Program(Self.computerID, at: PairingScene.relayURL, scene.relay)
        try await computer.gate.send(
            [
                "type": "pairing:confirmation", "pairingCode": .string(code.qr.code.digits),
                "pcPeerId": "12D3KooWExampleOfAnotherNetwork",
                "deviceInfo": ["name": "old-pc", "platform": "win32", "version": "5.0.3"],
                "timestamp": 1_790_000_060_000,
            ],
            to: scene.phoneIdentity.did.text
        )
        #expect(try await waiting.value.pcPeerID == Self.computerID)
    }

    // MARK: The person typed

    @Test(
        "an ack to a code's alias is sent once where the server would keep a second one for whoever shows these digits next"
    )
    func noRepeatToAnAlias() async throws {
        let scene = try await PairingScene(dropsForAbsentAliases: false)
        let computer = try await Program("pairing-code:482913", at: PairingScene.relayURL, scene.relay)
        let pairing = Task { try await scene.phone.pair(typing: TypedCode("482913"), options: Self.unsealed) }
        _ = try await computer.message()
        await computer.gate.reset()
        await scene.pass(seconds: 60)
        await #expect(throws: PairingError.noAnswer(afterSeconds: 60)) { try await pairing.value }
        #expect(scene.relay.frames.count == 1)
    }

    @Test("a computer that takes the ack and its code from the screen is not called one that never showed it")
    func takenDown() async throws {
        let scene = try await PairingScene()
        let computer = try await Program("pairing-code:482913", at: PairingScene.relayURL, scene.relay)
        let pairing = Task { try await scene.phone.pair(typing: TypedCode("482913"), options: Self.unsealed) }
        _ = try await computer.message()
        await computer.gate.reset()
        await scene.pass(seconds: 15)
        await #expect(throws: PairingError.codeTakenDown) { try await pairing.value }
    }

    @Test("a person who takes half a minute to say yes to typed digits still pairs, though the code is off the screen")
    func slowPerson() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        while !Task.isCancelled, !scene.relay.isRegistered(shown.qr.code.alias) { await Task.yield() }
        let code = try #require(shown.typed)
        let pairing = Task { try await scene.phone.pair(typing: code) }
        let request = try await scene.request()
        while !Task.isCancelled, scene.relay.isRegistered(shown.qr.code.alias) { await Task.yield() }
        for _ in 0..<30 {
            await scene.clock.sleepers(2)
            scene.clock.advance(by: .seconds(1))
        }
        try await scene.host.accept(request.id)
        #expect(try await pairing.value.did == scene.desktopIdentity.did)
    }

    // MARK: A phone asks

    private func ack(_ members: [String: JSONValue]) -> JSONValue {
        .object(
            [
                "type": "pair-ack", "mobileDid": .string(Self.phoneDID),
                "deviceInfo": ["deviceId": "b1d6", "name": "Old iPhone", "platform": "ios"],
                "timestamp": 1_790_000_000_000,
            ].merging(members) { $1 }
        )
    }

    @Test("a phone that cannot seal is refused, and the computer shows who that was and what to do")
    func refusedPhone() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        let phone = try await Program(Self.phoneDID, at: PairingScene.lanURL, scene.lan)
        let code = JSONValue.string(shown.qr.code.digits)
        try await phone.gate.send(ack(["pairingCode": code]), to: PairingScene.desktopID)
        #expect(try await phone.message().payload["reason"] == "e2e-required")
        try await phone.gate.send(ack(["pairingCode": code, "timestamp": 7]), to: PairingScene.desktopID)
        _ = try await phone.message()
        let status = try await scene.status { !$0.refusals.isEmpty }
        #expect(status.requests.isEmpty)
        #expect(status.refusals.map(\.name) == ["Old iPhone"])
        #expect(status.refusals.map(\.reason) == [.cannotSeal])
        #expect(status.refusals.first?.sentence.contains("tandem pair show --allow-unsealed") == true)
    }

    @Test(
        "a phone's platform that is no identifier is kept, cleaned like a name",
        arguments: [("iPhone OS", "iPhone OS"), ("iOS\n<b>17.2</b>", "iOSb17.2/b"), ("\u{202E}", "")]
    )
    func platform(told: String, kept: String) async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode(options: Self.unsealed)
        let phone = try await Program(Self.phoneDID, at: PairingScene.lanURL, scene.lan)
        let info: JSONValue = ["deviceId": "b1d6", "name": "Old iPhone", "platform": .string(told)]
        try await phone.gate.send(
            ack(["pairingCode": .string(shown.qr.code.digits), "deviceInfo": info]),
            to: PairingScene.desktopID
        )
        let request = try await scene.request()
        #expect(request.platform.rawValue == kept)
        try await scene.host.accept(request.id)
        #expect(try await phone.message().payload["type"] == "pairing:confirmation")
    }

    @Test("an ack under another sender's id is refused as not verified, also where unsealed phones may ask")
    func otherSender() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode(options: Self.unsealed)
        let phone = try await Program("mobile-1790000000000", at: PairingScene.lanURL, scene.lan)
        try await phone.gate.send(
            ack(["pairingCode": .string(shown.qr.code.digits)]),
            to: PairingScene.desktopID
        )
        #expect(try await phone.message().payload["reason"] == "handshake-failed")
        #expect(try await scene.status { !$0.refusals.isEmpty }.refusals.map(\.reason) == [.otherSender])
    }

    @Test(
        "fractions in times and numbers in place of texts are read",
        arguments: ["timestamp", "pairingCode", "deviceId"]
    )
    func liberal(member: String) async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode(options: Self.unsealed)
        let phone = try await Program(Self.phoneDID, at: PairingScene.lanURL, scene.lan)
        let digits = shown.qr.code.digits
        var members: [String: JSONValue] = ["pairingCode": .string(digits)]
        switch member {
        case "timestamp": members["timestamp"] = .number(1_790_000_000_000.25)
        case "pairingCode": members["pairingCode"] = .integer(try #require(Int64(digits)))
        default: members["deviceInfo"] = ["deviceId": 77, "name": "Old iPhone", "platform": "ios"]
        }
        try await phone.gate.send(ack(members), to: PairingScene.desktopID)
        let request = try await scene.request()
        #expect(request.deviceID == (member == "deviceId" ? "77" : "b1d6"))
        try await scene.host.accept(request.id)
        let confirmation = try await phone.message().payload
        #expect(confirmation["type"] == "pairing:confirmation")
        #expect(confirmation["pairingCode"] == .string(digits))
    }
}
