import Foundation
import Kernel
import KernelTesting
import Pairing
import Rights
import Sealing
import Testing

@Suite("The phone scans the computer's code", .timeLimit(.minutes(4)))
struct FlowBTests {
    @Test("a scanned code, accepted at the computer, puts each device's keys into the other's store")
    func happy() async throws {
        let scene = try await PairingScene()
        let shown = try await scene.host.makeCode()
        let qr = try scene.phone.read(shown.qrText)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        let request = try await scene.request()
        #expect(request.name == "My iPhone")
        #expect(request.platform == .iOS)
        #expect(request.fingerprint == scene.phoneIdentity.did.fingerprint)
        #expect(request.isEndToEnd)
        #expect(!request.needsPerson)
        try await scene.host.accept(request.id)
        let desktop = try await pairing.value
        #expect(desktop.pcPeerID == PairingScene.desktopID)
        #expect(desktop.deviceName == "studio-pc")
        #expect(desktop.did == scene.desktopIdentity.did)
        #expect(desktop.agreementKey == scene.desktopIdentity.agreementKey)
        #expect(desktop.lanSignalingURL == PairingScene.lanURL)
        #expect(desktop.relayURL == PairingScene.relayURL)
        #expect(desktop.state == .confirmed)
        let phone = try #require(try await scene.phones.record(scene.phoneIdentity.did))
        #expect(phone.agreementKey == scene.phoneIdentity.agreementKey)
        #expect(phone.deviceID == PairingScene.phoneDeviceID)
        #expect(phone.allowedSkills == PairingScene.initialRights)
        #expect(phone.state == .provisional(until: scene.clock.date.addingTimeInterval(300)))
        try await scene.host.confirmed(by: phone.did)
        #expect(try await scene.phones.record(phone.did)?.state == .confirmed)
        #expect(await scene.host.status().code == .used)
    }

    @Test("what the person allows with their yes stands in the record, beside what every new phone may")
    func allowing() async throws {
        let scene = try await PairingScene()
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        try await scene.host.accept(try await scene.request().id, allowing: ["clipboard", "terminal"])
        _ = try await pairing.value
        let phone = try #require(try await scene.phones.record(scene.phoneIdentity.did))
        #expect(phone.allowedSkills == ["system.info", .notification, "clipboard", "terminal"])
    }

    @Test(
        "a code whose time was read as another pairs all the same: its maker ends it by its own clock",
        arguments: [600, -7200]
    )
    func otherTime(secondsAhead: Int64) async throws {
        let scene = try await PairingScene()
        let shown = try JSONValue(parsing: try await scene.host.makeCode().qrText.utf8)
        let shownAt = try #require(shown["timestamp"]?.integerValue)
        let qr = try scene.phone.read(shown.adding("timestamp", .integer(shownAt + secondsAhead * 1000)).canonicalText)
        #expect(qr.ageDoubt != nil)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        try await scene.host.accept(try await scene.request().id)
        #expect(try await pairing.value.did == scene.desktopIdentity.did)
    }

    @Test("the person at the computer declines, and the phone says so")
    func declined() async throws {
        let scene = try await PairingScene()
        let qr = try scene.phone.read(try await scene.host.makeCode().qrText)
        let pairing = Task { try await scene.phone.pair(with: qr) }
        try await scene.host.reject(try await scene.request().id)
        await #expect(throws: PairingError.declined(name: "studio-pc")) { try await pairing.value }
        #expect(try await scene.phones.all().isEmpty)
        #expect(try await scene.desktops.all().isEmpty)
    }
}
