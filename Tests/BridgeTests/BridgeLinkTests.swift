import Bridge
import Commands
import Foundation
import Kernel
import Logging
import Pairing
import Rights
import Sealing
import Synchronization
import TandemDesktop
import Testing
import Transport

@testable import BridgeHost
@testable import TandemDesktop

@Suite("The bridge as a way for paired phones", .timeLimit(.minutes(2)))
struct BridgeLinkTests {
    private func phone(_ identity: Identity, at scene: BridgeScene) async throws -> PeerConnection {
        let computer = scene.desktop.device.identity
        var logger = Logger(label: "phone")
        logger.logLevel = .critical
        return try await PeerConnection(
            identity: identity,
            peer: SessionPeer(did: computer.did, agreementKey: computer.agreementKey),
            store: InMemorySessionStore(),
            sources: [
                BridgeLinkSource(
                    address: try #require(URL(string: "wss://127.0.0.1:\(scene.port)")),
                    keyHash: scene.bridge.keyHash
                )
            ],
            logger: logger
        )
    }

    private func record(_ identity: Identity) -> PairedPhone {
        PairedPhone(
            did: identity.did,
            deviceID: "p",
            name: "Ada's phone",
            platform: .iOS,
            agreementKey: identity.agreementKey,
            pairedAt: Date(timeIntervalSince1970: 0),
            lastSeenAt: Date(timeIntervalSince1970: 0),
            allowedSkills: [.garden],
            state: .confirmed
        )
    }

    @Test("a paired phone has its sealed session over port 9099, with its own rights and answers larger than a token's")
    func paired() async throws {
        try await BridgeScene.run(.init(runsDesktop: true)) { scene in
            let identity = Identity()
            try await scene.desktop.phones.records.store.save(record(identity))
            let phone = try await phone(identity, at: scene)
            for await state in phone.states() where state == .connected(path: .lan) { break }
            func answer(_ method: String, _ params: JSONValue = [:]) async throws -> CommandResponse {
                let request = CommandRequest(id: UUID().uuidString, method: method, params: params)
                try await phone.send(request.envelope(mobileDID: identity.did.text).canonicalBytes)
                for await message in phone.messages() {
                    let envelope = try JSONValue(parsing: message.bytes)
                    if let response = try? CommandResponse(envelope: envelope), response.id == request.id {
                        return response
                    }
                }
                throw RemoteError.notConnected
            }
            #expect(try await answer("garden.open").outcome == .success(["open": true]))
            // What no token may, a paired phone may; what it was not given, it may not.
            #expect(
                try await answer("bell.free", ["pad": .string(String(repeating: "x", count: 100_000))]).outcome
                    == .success(["free": true])
            )
            guard case .failure(let refusal) = try await answer("bell.ring").outcome else {
                Issue.record("it rang")
                return
            }
            #expect(refusal.code == -32010)
            let status = try await scene.status()
            #expect(status.sockets == 1 && status.unproven == 0 && status.refused == [:])
            await phone.close()
            while !Task.isCancelled, try await scene.status().sockets > 0 { await Task.yield() }
        }
    }

    @Test("a stranger's handshake is told that it is not paired, and stays a stranger's")
    func stranger() async throws {
        try await BridgeScene.run(.init(runsDesktop: true)) { scene in
            let phone = try await phone(Identity(), at: scene)
            for await state in phone.states() where state == .refused(.notPaired) { break }
            #expect(try await scene.status().sockets == 0)
            await phone.close()
            // Nor does a frame of no session get anything to run.
            let client = try await scene.open()
            try await client.send(#"{"type":"e2e","sid":"AAAAAAAAAAAAAAAAAAAAAA","g":1,"n":1,"ct":"AAAA"}"#)
            #expect(try await client.nextJSON()["err"] == "unknown-session")
            try await client.send(#"{"token":"\(try await scene.token().text)"}"#)
            try await client.send(#"{"type":"bell.lastRang.request","data":{"request_id":1}}"#)
            #expect(scene.bell.callers.withLock { $0 }.isEmpty)
            #expect(try await scene.status().sockets == 0)
        }
    }
}
