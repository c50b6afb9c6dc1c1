import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Testing

@Suite("The computer scans the phone's code", .timeLimit(.minutes(4)))
struct FlowATests {
    @Test("a scanned code puts each device's keys into the other's store, provisionally until a session")
    func happy() async throws {
        let scene = try await PairingScene()
        let code = try await scene.phone.makeCode()
        let waiting = Task { try await scene.phone.desktopScanning(code) }
        let qr = try scene.host.read(code.text)
        #expect(qr.did == scene.phoneIdentity.did)
        #expect(qr.deviceInfo.name == "My iPhone")
        let phone = try await scene.host.pair(with: qr)
        let desktop = try await waiting.value
        #expect(phone.agreementKey == scene.phoneIdentity.agreementKey)
        #expect(phone.did == scene.phoneIdentity.did)
        #expect(desktop.agreementKey == scene.desktopIdentity.agreementKey)
        #expect(desktop.pcPeerID == PairingScene.desktopID)
        #expect(desktop.relayURL == PairingScene.relayURL)
        let until = scene.clock.date.addingTimeInterval(300)
        #expect(phone.state == .provisional(until: until))
        #expect(desktop.state == .provisional(until: until))
        try await scene.phone.confirmed(by: desktop.pcPeerID)
        #expect(try await scene.desktops.record(desktop.pcPeerID)?.state == .confirmed)
    }

    @Test("a code that is scanned before anybody waits for it pairs at once")
    func scannedAtOnce() async throws {
        for _ in 0..<20 {
            let scene = try await PairingScene()
            let code = try await scene.phone.makeCode()
            let pairing = Task { try await scene.host.pair(with: scene.host.read(code.text)) }
            // The computer has told the phone, and nobody there waits yet.
            while !scene.relay.frames.contains(where: { $0.payload["type"] == "pairing:confirmation" }) {
                await Task.yield()
            }
            #expect(try await scene.phone.desktopScanning(code).did == scene.desktopIdentity.did)
            #expect(try await pairing.value.did == scene.phoneIdentity.did)
        }
    }

    @Test(
        "a code whose time was read as another pairs all the same: its maker ends it by its own clock",
        arguments: [600, -7200]
    )
    func otherTime(secondsAhead: Int64) async throws {
        let scene = try await PairingScene()
        let code = try await scene.phone.makeCode()
        let waiting = Task { try await scene.phone.desktopScanning(code) }
        let shown = try JSONValue(parsing: code.text.utf8)
        let shownAt = try #require(shown["timestamp"]?.integerValue)
        let qr = try scene.host.read(shown.adding("timestamp", .integer(shownAt + secondsAhead * 1000)).canonicalText)
        #expect(qr.ageDoubt != nil)
        #expect(try await scene.host.pair(with: qr).did == scene.phoneIdentity.did)
        #expect(try await waiting.value.did == scene.desktopIdentity.did)
    }

    @Test("a code that another took the place of ends its own wait, and takes nothing from the new one")
    func replacedCode() async throws {
        let scene = try await PairingScene()
        let old = try await scene.phone.makeCode()
        let waiting = Task { try await scene.phone.desktopScanning(old) }
        await scene.clock.sleepers(1)
        let code = try await scene.phone.makeCode()
        async let desktop = scene.phone.desktopScanning(code)
        try await scene.host.pair(with: try scene.host.read(code.text))
        #expect(try await desktop.did == scene.desktopIdentity.did)
        await #expect(throws: PairingError.shownCodeExpired) { try await waiting.value }
    }

    @Test("a code that was used is said to be over at once, and so is one that another took the place of")
    func usedCode() async throws {
        let scene = try await PairingScene()
        let replaced = try scene.host.read(try await scene.phone.makeCode().text)
        let code = try await scene.phone.makeCode()
        let qr = try scene.host.read(code.text)
        await #expect(throws: PairingError.shownCodeExpired) { try await scene.host.pair(with: replaced) }
        async let desktop = scene.phone.desktopScanning(code)
        try await scene.host.pair(with: qr)
        _ = try await desktop
        await #expect(throws: PairingError.shownCodeExpired) { try await scene.host.pair(with: qr) }
    }

    @Test(
        "a code that is taken back ends its wait, and a computer that scans it is told at once; there is none to take back then"
    )
    func withdrawn() async throws {
        let scene = try await PairingScene()
        #expect(await !scene.phone.withdrawCode())
        let code = try await scene.phone.makeCode()
        let waiting = Task { try await scene.phone.desktopScanning(code) }
        await scene.clock.sleepers(1)
        #expect(await scene.phone.withdrawCode())
        await #expect(throws: PairingError.codeWithdrawn) { try await waiting.value }
        let qr = try scene.host.read(code.text)
        await #expect(throws: PairingError.shownCodeExpired) { try await scene.host.pair(with: qr) }
        #expect(await !scene.phone.withdrawCode())
        // Before a caller waits for its computer.
        let early = try await scene.phone.makeCode()
        #expect(await scene.phone.withdrawCode())
        await #expect(throws: PairingError.codeWithdrawn) { try await scene.phone.desktopScanning(early) }
        // One that a computer has used is not taken back.
        let used = try await scene.phone.makeCode()
        async let desktop = scene.phone.desktopScanning(used)
        try await scene.host.pair(with: scene.host.read(used.text))
        _ = try await desktop
        #expect(await !scene.phone.withdrawCode())
    }

    @Test("forged confirmations, however many, do not end the phone's code")
    func forgedConfirmations() async throws {
        let scene = try await PairingScene()
        let code = try await scene.phone.makeCode()
        for number in 0..<50 {
            scene.relay.inject(
                .init(
                    from: "mallory",
                    to: scene.phoneIdentity.did.text,
                    payload: [
                        "type": "pairing:confirmation", "pairingCode": .string(code.qr.code.digits),
                        "pcPeerId": "mallory", "deviceInfo": ["name": "x", "platform": "linux"],
                        "timestamp": .integer(Int64(number)),
                        "e2e": ["v": 1, "hs": .string(Base64URL.encode([UInt8](repeating: 7, count: 200)))],
                    ]
                )
            )
        }
        async let desktop = scene.phone.desktopScanning(code)
        try await scene.host.pair(with: try scene.host.read(code.text))
        #expect(try await desktop.did == scene.desktopIdentity.did)
        let answers = scene.relay.frames.filter { $0.payload["type"] == "pairing:reject" }.map { $0.payload["reason"] }
        #expect(answers.count { $0 == "handshake-failed" } == 5)
        #expect(answers.count { $0 == "expired" } <= 5)
    }

    @Test("an answer that was lost is given again, byte for byte")
    func lostAnswer() async throws {
        let scene = try await PairingScene()
        scene.relay.tamper { $0.payload["type"] == "pair-ack" ? [] : [$0] }
        let code = try await scene.phone.makeCode()
        let waiting = Task { try await scene.phone.desktopScanning(code) }
        let qr = try scene.host.read(code.text)
        let pairing = Task { try await scene.host.pair(with: qr) }
        _ = try await waiting.value
        scene.relay.tamper { [$0] }
        // The computer's clockwork and its patience, and the phone's sweep of what is provisional.
        await scene.clock.sleepers(3)
        scene.clock.advance(by: .seconds(15))
        #expect(try await pairing.value.did == scene.phoneIdentity.did)
        let acks = scene.relay.frames.filter { $0.payload["type"] == "pair-ack" }
        #expect(Set(acks.map(\.payload.canonicalText)).count == 1)
    }

    @Test(
        "a computer that speaks only the documented wire is refused, unless the person allowed it",
        arguments: [false, true]
    )
    func documentedDesktop(isAllowed: Bool) async throws {
        let scene = try await PairingScene()
        let options = PairingOptions(allowsDocumentedPeers: isAllowed)
        let code = try await scene.phone.makeCode(options: options)
        let waiting = Task { try await scene.phone.desktopScanning(code, options: options) }
        scene.relay.inject(
            .init(
                from: "desk-7",
                to: scene.phoneIdentity.did.text,
                payload: [
                    "type": "pairing:confirmation", "pairingCode": .string(code.qr.code.digits), "pcPeerId": "desk-7",
                    "deviceInfo": ["name": "old-pc", "platform": "win32", "version": "5.0.3"],
                    "timestamp": 1_790_000_060_000,
                ]
            )
        )
        if isAllowed {
            let desktop = try await waiting.value
            #expect(desktop.deviceName == "old-pc")
            #expect(desktop.platform == .windows)
            #expect(!desktop.isEndToEnd)
            #expect(desktop.state == .unconfirmed)
        } else {
            await #expect(throws: PairingError.notEndToEnd(name: "old-pc")) { try await waiting.value }
            #expect(try await scene.desktops.all().isEmpty)
        }
    }

    @Test("a phone that is not connected is an answer at once")
    func phoneOffline() async throws {
        let scene = try await PairingScene()
        let code = try await scene.phone.makeCode()
        await scene.phoneGate.reset()
        let qr = try scene.host.read(code.text)
        await #expect(throws: PairingError.deviceOffline(name: "The phone")) { try await scene.host.pair(with: qr) }
    }

    @Test("a code that nobody scans expires after five minutes")
    func expired() async throws {
        let scene = try await PairingScene()
        let code = try await scene.phone.makeCode()
        let waiting = Task { try await scene.phone.desktopScanning(code) }
        await scene.clock.sleepers(1)
        scene.clock.advance(by: .seconds(301))
        await #expect(throws: PairingError.shownCodeExpired) { try await waiting.value }
    }

    @Test("a phone known with another key is a visible step")
    func keyChanged() async throws {
        let scene = try await PairingScene()
        let now = scene.clock.date
        let earlier = Identity()
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
        let code = try await scene.phone.makeCode()
        let qr = try scene.host.read(code.text)
        await #expect(throws: PairingError.keyChanged(name: "Old iPhone")) { try await scene.host.pair(with: qr) }
        let waiting = Task { try await scene.phone.desktopScanning(code) }
        try await scene.host.pair(with: qr, options: PairingOptions(acceptsNewIdentity: true))
        _ = try await waiting.value
        #expect(try await scene.phones.all().count == 2)
        try await scene.host.confirmed(by: scene.phoneIdentity.did)
        #expect(try await scene.phones.all().map(\.did) == [scene.phoneIdentity.did])
    }
}
