import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Testing

@Suite("Answers go back where the question came from", .timeLimit(.minutes(4)))
struct AnswerRouteTests {
    @Test("a pairing on the local network tells the hub nothing: no name, no key, no TURN credentials")
    func scannedOnTheLAN() async throws {
        let scene = try await PairingScene(acceptsEverybody: true, turnSecret: Array("north-secret".utf8))
        try await scene.phone.pair(with: try scene.phone.read(try await scene.host.makeCode().qrText))
        _ = try await scene.desktopList { $0.first?.iceServersJSON != nil }
        #expect(scene.relay.frames.isEmpty)
    }

    @Test("a phone that shows its code on the local network is asked there, and the hub hears nothing")
    func shownOnTheLAN() async throws {
        let lan = try SignalingAddress(try #require(PairingScene.lanURL).absoluteString)
        let scene = try await PairingScene(acceptsEverybody: true, phoneAddresses: [lan])
        let code = try await scene.phone.makeCode()
        async let desktop = scene.phone.desktopScanning(code)
        try await scene.host.pair(with: try scene.host.read(code.text))
        #expect(try await desktop.did == scene.desktopIdentity.did)
        #expect(scene.relay.frames.isEmpty)
    }

    @Test("a code that is typed through the hub is answered there, and the computer's own server keeps nothing for it")
    func typedThroughTheHub() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let code = try #require(try await scene.host.makeCode().typed)
        try await scene.phone.pair(typing: code)
        #expect(scene.lan.frames.isEmpty)
    }

    @Test("a phone that was met on one server and then on another is pushed its ICE servers where it is now")
    func moved() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        try await scene.phone.pair(with: try scene.phone.read(try await scene.host.makeCode().qrText))
        let did = scene.phoneIdentity.did
        try await scene.host.confirmed(by: did)
        while !Task.isCancelled, scene.lan.frames.last?.payload["type"] != "chainlesschain:ice:config" {
            await Task.yield()
        }
        let onTheLAN = scene.lan.frames.count
        scene.clock.advance(by: .seconds(12 * 3600))
        try await scene.host.noteActivity(of: did, through: 1)
        #expect(scene.relay.frames.map { $0.payload["type"] } == ["chainlesschain:ice:config"])
        #expect(scene.lan.frames.count == onTheLAN)
    }
}
