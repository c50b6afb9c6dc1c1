import Control
import Foundation
import Kernel
import Logging
import Sealing
import Testing
import Transport

@testable import SignalingServer
@testable import TandemHub

@Suite("Looking after a hub", .timeLimit(.minutes(4)))
struct HubTests {
    private func withHub(_ body: (Hub) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "hb-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = SignalingServerConfiguration()
        configuration.address = "127.0.0.1"
        configuration.port = 0
        configuration.limits.connections = 77
        let hub = try Hub(folder: StateFolder(root), server: configuration, version: "7.8.9", logger: logger)
        let task = Task { try await hub.run() }
        let result: Result<Void, any Error>
        do {
            _ = try await hub.server.boundPort()
            try await body(hub)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        task.cancel()
        _ = await task.result
        try result.get()
    }

    private func ask(_ hub: Hub, _ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
        try await hub.control.handle(.init(id: 1, method: method, params: params), report: { _ in })
    }

    @Test("the operator sees who is connected, ends a connection with a reason, and reads every limit")
    func commands() async throws {
        try await withHub { hub in
            let url = try #require(URL(string: "ws://127.0.0.1:\(try await hub.server.boundPort())/"))
            let connection = try await WebSocketConnection.connect(to: url)
            var messages = connection.messages.makeAsyncIterator()
            for id in ["pc-77", "pairing-code:482913"] {
                try await connection.send(text: #"{"type":"register","peerId":"\#(id)"}"#)
                _ = await messages.next()
            }
            let peers = try await ask(hub, "hub.peers")["peers"]?.arrayValue ?? []
            // The digits of a code that is shown are nobody's but its owner's.
            #expect(peers.map { $0["peerId"] } == ["pc-77", "pairing-code"])
            #expect(peers.first?["address"] == "127.0.0.1")
            #expect(peers.first?["proven"] == false)
            let limits = try await ask(hub, "hub.limits")["limits"]?.arrayValue ?? []
            #expect(limits.count == LimitSetting.all.count)
            #expect(limits.first { $0["name"] == "limitConnections" }?["value"] == 77)
            _ = try await ask(hub, "hub.kick", ["id": "pc-77", "reason": "too loud"])
            guard case .text(let bytes)? = await messages.next() else {
                Issue.record("no word of it")
                return
            }
            #expect(try JSONValue(parsing: bytes)["reason"] == "too loud")
            await #expect(throws: HubError.notConnected("nobody")) { try await ask(hub, "hub.kick", ["id": "nobody"]) }
            await #expect(throws: HubError.notOwned("nobody")) { try await ask(hub, "hub.release", ["id": "nobody"]) }
        }
    }

    @Test("the operator names devices, and sees when each was there last")
    func devices() async throws {
        try await withHub { hub in
            let port = try await hub.server.boundPort()
            let url = try #require(URL(string: "ws://127.0.0.1:\(port)/"))
            let identity = Identity()
            let connection = try await WebSocketConnection.connect(to: url)
            var messages = connection.messages.makeAsyncIterator()
            let claim: [String: JSONValue] = ["v": 1, "key": .string(identity.did.text)]
            let first: JSONValue = ["type": "register", "peerId": "desk", "e2e": .object(claim)]
            try await connection.send(text: first.canonicalText)
            guard case .text(let challenge)? = await messages.next() else {
                Issue.record("no challenge")
                return
            }
            let nonce = try #require(try JSONValue(parsing: challenge)["nonce"]?.stringValue)
            let signature = try RegistrationProof.sign(
                identity: identity,
                peerID: "desk",
                nonce: try #require(Base64URL.decode(nonce)),
                host: "127.0.0.1:\(port)"
            )
            let proof: [String: JSONValue] = [
                "nonce": .string(nonce), "sig": .string(Base64URL.encode(signature)),
            ]
            let second: JSONValue = [
                "type": "register", "peerId": "desk", "e2e": .object(claim.merging(proof) { $1 }),
            ]
            try await connection.send(text: second.canonicalText)
            _ = await messages.next()

            let before = try await ask(hub, "hub.devices")
            #expect(before["devices"]?.arrayValue?.count == 1)
            #expect(before["devices"]?.arrayValue?.first?["peerId"] == "desk")
            #expect(before["devices"]?.arrayValue?.first?["connected"] == true)
            #expect(before["devices"]?.arrayValue?.first?["name"] == nil)
            #expect(before["total"] == 1)
            // What turns text around is left out, as everywhere else that people choose a name.
            _ = try await ask(hub, "hub.name", ["id": "desk", "name": "Front\u{202E} desk"])
            #expect(try await ask(hub, "hub.devices")["devices"]?.arrayValue?.first?["name"] == "Front desk")
            #expect(try await ask(hub, "hub.peers")["peers"]?.arrayValue?.first?["name"] == "Front desk")
            let long = JSONValue.string(String(repeating: "x", count: 65))
            await #expect(throws: HubError.badName) { try await ask(hub, "hub.name", ["id": "desk", "name": long]) }
            _ = try await ask(hub, "hub.name", ["id": "desk"])
            #expect(try await ask(hub, "hub.devices")["devices"]?.arrayValue?.first?["name"] == nil)

            _ = try await ask(hub, "hub.name", ["id": "desk", "name": "Front desk"])
            _ = try await ask(hub, "hub.release", ["id": "desk"])
            #expect(try await ask(hub, "hub.devices")["total"] == 0)
            #expect(try await hub.server.names().isEmpty)
            await #expect(throws: ControlError.self) { try await ask(hub, "hub.devices", ["limit": 0]) }
            await #expect(throws: ControlError.self) { try await ask(hub, "hub.devices", ["after": "x"]) }
        }
    }

    @Test("the load of the last five minutes is told to who asks for it")
    func load() async throws {
        try await withHub { hub in
            let folder = FileManager.default.temporaryDirectory
            let recorder = HubRecorder(
                meter: HubMeter(server: hub.server, folder: folder, time: .system),
                time: .system
            )
            for _ in 0..<(HubRecorder.limit + 2) { await recorder.take() }
            let samples = await recorder.samples
            #expect(samples.count == HubRecorder.limit)
            #expect(samples.map(\.at) == samples.map(\.at).sorted())
            #expect(try await ask(hub, "hub.load", ["history": true])["history"]?.arrayValue != nil)
            let load = try await ask(hub, "hub.load")
            #expect(load["history"] == nil)
            #expect(load["now"]?["connections"] == 0)
        }
    }

    @Test("connections are told page by page, the newest first, and each once though others come and go in between")
    func pages() throws {
        func peer(_ id: String, at time: Int64) -> ConnectedPeer {
            ConnectedPeer(id: id, key: Identity().did, address: "203.0.113.7", connectedAt: time, lastSeen: time)
        }
        let all = [peer("a", at: 1), peer("did:key:b", at: 2), peer("c", at: 2), peer("d", at: 3)]
        let whole = try HubControl.PeerList(all, .init())
        #expect(whole.peers.map(\.peerId) == ["a", "did:key:b", "c", "d"])
        #expect(whole.total == 4)
        #expect(whole.next == nil)
        let first = try HubControl.PeerList(all, .init(limit: 3))
        #expect(first.peers.map(\.peerId) == ["d", "c", "did:key:b"])
        // One more came, and the last that was told has gone.
        let later = all.filter { $0.id != "did:key:b" } + [peer("e", at: 4)]
        let second = try HubControl.PeerList(later, .init(limit: 3, after: first.next))
        #expect(second.peers.map(\.peerId) == ["a"])
        #expect(second.next == nil)
        #expect(second.total == 4)
        #expect(try HubControl.PeerList(all, .init(limit: 4)).next == nil)
        for query in [
            HubControl.PeerQuery(limit: 0), .init(limit: 10_001), .init(after: "1:a"), .init(limit: 1, after: "x"),
        ] {
            #expect(throws: ControlError.self) { try HubControl.PeerList(all, query) }
        }
    }

    @Test("a hub says addresses that others can use, and its own version at /health")
    func addresses() async throws {
        var configuration = SignalingServerConfiguration()
        configuration.address = "0.0.0.0"
        let urls = HubAddresses.urls(configuration, port: 9001, certificateNames: [])
        #expect(!urls.isEmpty)
        #expect(!urls.contains { $0.contains("0.0.0.0") })
        configuration.address = "::"
        #expect(!HubAddresses.urls(configuration, port: 9001, certificateNames: []).contains { $0.contains(":::") })
        configuration.address = "2001:db8::5"
        #expect(HubAddresses.urls(configuration, port: 9001, certificateNames: []) == ["ws://[2001:db8::5]:9001"])
        configuration.address = "127.0.0.1"
        configuration.names = ["hub.example.org"]
        #expect(
            HubAddresses.urls(configuration, port: 9001, certificateNames: []) == [
                "wss://hub.example.org", "ws://127.0.0.1:9001",
            ]
        )
        configuration.address = "2001:db8::5"
        configuration.names = ["hub.example.org", "hub.example.org:443"]
        configuration.tls = TLSFiles(certificate: URL(fileURLWithPath: "/c"), key: URL(fileURLWithPath: "/k"))
        #expect(
            HubAddresses.urls(configuration, port: 9001, certificateNames: ["*.example.org", "hub.example.org"]) == [
                "wss://hub.example.org:9001", "wss://hub.example.org:443", "wss://[2001:db8::5]:9001",
            ]
        )
    }
}
