import CoreMetrics
import GRDB
import Kernel
import KernelTesting
import Sealing
import SignalingServer
import Testing
import Transport

@Suite("Who has an id", .timeLimit(.minutes(5)))
struct RegistrationTests {
    @Test("a second socket with the same id replaces the first and stays reachable")
    func secondSocket() async throws {
        try await withServer { server in
            let sender = try await server.peer("sender")
            let first = try await server.peer("pc-77")
            let second = try await server.connect()
            try await second.send(["type": "register", "peerId": "pc-77"])
            let registered = try await second.expectType("registered")
            #expect(registered["isReconnect"] == true)
            #expect(await first.nextMessage() == nil)
            #expect(first.connection.closure == .byPeer(nil, reason: ""))
            try await sender.send(["type": "message", "to": "pc-77", "payload": "for the second"])
            #expect(try await second.expectType("message")["payload"] == "for the second")
        }
    }

    @Test("registering again on the same socket is harmless")
    func again() async throws {
        try await withServer { server in
            let peer = try await server.peer("pc-77")
            try await peer.send(["type": "register", "peerId": "pc-77", "deviceType": "desktop"])
            try await peer.expectType("registered")
            try await peer.send(["type": "message", "to": "pc-77", "payload": "still here"])
            #expect(try await peer.expectType("message")["from"] == "pc-77")
        }
    }

    @Test("an alias is a second id of the same socket, does not speak for it, and is removed with it")
    func alias() async throws {
        try await withServer { server in
            let phone = try await server.peer("phone")
            let desktop = try await server.peer("pc-77")
            try await desktop.send(["type": "register", "peerId": "pairing-code:482913"])
            try await desktop.expectType("registered")
            try await phone.send(["type": "message", "to": "pairing-code:482913", "payload": "ack"])
            #expect(try await desktop.expectType("message")["from"] == "phone")
            try await desktop.send(["type": "message", "to": "phone", "payload": "answer"])
            #expect(try await phone.expectType("message")["from"] == "pc-77")
            await desktop.close()
            try await phone.send(["type": "message", "to": "pairing-code:482913", "payload": "late"])
            #expect(try await phone.expectType("peer-offline")["peerId"] == "pairing-code:482913")
        }
    }

    @Test("a client that can sign is challenged, proves its id, and learns that binary frames are spoken")
    func proof() async throws {
        try await withServer { server in
            let identity = Identity()
            let peer = try await server.connect()
            try await peer.register(identity.did.text, proving: identity, host: peer.connection.host)
            let registered = try await peer.expectType("registered")
            #expect(registered["e2e"] == ["v": 1, "proven": true, "binary": true])
        }
    }

    @Test("a client that proves its id is told where the page for phones is, by the name that it dialled; no other is")
    func phonePage() async throws {
        try await withServer {
            $0.phonePage = { "https://\($0)/phone/" }
        } _: { server in
            let identity = Identity()
            let peer = try await server.connect()
            try await peer.register(identity.did.text, proving: identity, host: peer.connection.host)
            let page = try await peer.expectType("registered")["phonePage"]
            #expect(page == .string("https://\(peer.connection.host)/phone/"))
            let other = try await server.connect()
            try await other.send(["type": "register", "peerId": "other"])
            #expect(try await other.expectType("registered")["phonePage"] == nil)
        }
    }

    @Test("a proven socket replaces an unproven one, and an unproven one never a proven one, also after a restart")
    func provenWins() async throws {
        let database = try signalingDatabase()
        let identity = Identity()
        let id = identity.did.text
        try await withServer(database: database) { server in
            let legacy = try await server.peer(id)
            let owner = try await server.connect()
            try await owner.register(id, proving: identity, host: owner.connection.host)
            try await owner.expectType("registered")
            #expect(await legacy.nextMessage() == nil)
            #expect(legacy.connection.closure == .byPeer(nil, reason: ""))
            let thief = try await server.connect()
            try await thief.send(["type": "register", "peerId": .string(id)])
            #expect(try await thief.expectType("error")["code"] == "proof-required")
            try await owner.expectNothing()
        }
        try await withServer(database: database) { server in
            let sender = try await server.peer("sender")
            try await sender.send(["type": "message", "to": .string(id), "payload": "for the owner only"])
            try await sender.expectType("peer-offline")
            let thief = try await server.connect()
            try await thief.send(["type": "register", "peerId": .string(id)])
            #expect(try await thief.expectType("error")["code"] == "proof-required")
            try await thief.expectNothing()
            let owner = try await server.connect()
            try await owner.register(id, proving: identity, host: owner.connection.host)
            try await owner.expectType("registered")
            #expect(
                try await owner.expectType("offline-message")["originalMessage"]?["payload"] == "for the owner only"
            )
        }
    }

    @Test("on a full disk ids register that are known or name their key, and new ones are told to try later")
    func fullDisk() async throws {
        let database = try signalingDatabase()
        let owner = Identity()
        try await withServer(database: database) { server in
            _ = try await server.proven("pc-77", owner)
        }
        try await database.write { database in
            // More than a day, so that the next registration is to be written down.
            try database.execute(sql: "UPDATE signalingKey SET seenAt = seenAt - 2 * 86400000")
            for statement in ["INSERT", "UPDATE"] {
                let trigger = "CREATE TRIGGER full\(statement) BEFORE \(statement) ON signalingKey"
                try database.execute(sql: "\(trigger) BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
            }
        }
        try await withServer(database: database) { server in
            _ = try await server.proven("pc-77", owner)
            let certified = Identity()
            _ = try await server.proven(certified.did.text, certified)
            for (id, code) in [("pc-78", "unavailable"), ("pc-77", "key-mismatch")] {
                let stranger = try await server.connect()
                try await stranger.register(id, proving: Identity(), host: stranger.connection.host)
                #expect(try await stranger.expectType("error")["code"] == .string(code))
            }
        }
    }

    @Test("a proven socket that is replaced by another proof is closed with 4409")
    func replacedProof() async throws {
        try await withServer { server in
            let identity = Identity()
            let first = try await server.connect()
            try await first.register("pc-77", proving: identity, host: first.connection.host)
            try await first.expectType("registered")
            let second = try await server.connect()
            try await second.register("pc-77", proving: identity, host: second.connection.host)
            try await second.expectType("registered")
            #expect(await first.nextMessage() == nil)
            #expect(first.connection.closure == .byPeer(.replaced, reason: "replaced"))
        }
    }

    @Test(
        "another key, another DID, another host's or an old nonce, and a broken proof are each refused with their code"
    )
    func refusals() async throws {
        try await withServer { server in
            let owner = Identity()
            let other = Identity()
            let peer = try await server.connect()
            let host = peer.connection.host
            try await peer.register("pc-77", proving: owner, host: host)
            try await peer.expectType("registered")
            let thief = try await server.connect()
            try await thief.register("pc-77", proving: other, host: host)
            #expect(try await thief.expectType("error")["code"] == "key-mismatch")
            try await thief.register(owner.did.text, proving: other, host: host)
            #expect(try await thief.expectType("error")["code"] == "key-mismatch")
            try await thief.register("new-id", proving: other, host: "relay.example:443")
            #expect(try await thief.expectType("error")["code"] == "proof-failed")
            let stale = Base64URL.encode([UInt8](repeating: 7, count: 32))
            try await thief.register("new-id", proving: other, host: host, nonce: stale)
            #expect(try await thief.expectType("error")["code"] == "proof-failed")
            try await thief.send(["type": "register", "peerId": "new-id", "e2e": ["v": 1, "key": "did:key:z6Mk"]])
            #expect(try await thief.expectType("error")["code"] == "proof-failed")
            try await thief.expectNothing()
        }
    }

    @Test("a nonce is valid once and for thirty seconds")
    func nonceLifetime() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let identity = Identity()
            let peer = try await server.connect()
            let host = peer.connection.host
            try await peer.register("pc-77", proving: identity, host: host)
            try await peer.expectType("registered")
            let first = JSONValue.object([
                "type": "register", "peerId": "pc-77", "e2e": ["v": 1, "key": .string(identity.did.text)],
            ])
            try await peer.send(first)
            let nonce = try #require(try await peer.expectType("challenge")["nonce"]?.stringValue)
            try await peer.answer("pc-77", identity, nonce: nonce, host: host)
            try await peer.expectType("registered")
            try await peer.answer("pc-77", identity, nonce: nonce, host: host)
            #expect(try await peer.expectType("error")["code"] == "proof-failed")
            try await peer.send(first)
            let late = try #require(try await peer.expectType("challenge")["nonce"]?.stringValue)
            clock.advance(by: .seconds(30))
            try await peer.answer("pc-77", identity, nonce: late, host: host)
            #expect(try await peer.expectType("error")["code"] == "proof-failed")
        }
    }

    @Test("a client without `e2e` never sees a frame or a field that the observed servers did not send")
    func legacyIsSpared() async throws {
        try await withServer { server in
            let identity = Identity()
            let proven = try await server.connect()
            try await proven.register("pc-77", proving: identity, host: proven.connection.host)
            try await proven.expectType("registered")
            let legacy = try await server.connect()
            try await legacy.send(["type": "register", "peerId": "phone"])
            let registered = try await legacy.expectType("registered")
            #expect(Set(registered.objectValue?.keys ?? [:].keys) == ["type", "peerId", "serverTime", "isReconnect"])
            try await proven.send(["type": "message", "to": "phone", "payload": ["a": 1]])
            let message = try await legacy.expectType("message")
            #expect(Set(message.objectValue?.keys ?? [:].keys) == ["type", "from", "payload", "timestamp"])
            try await legacy.send(["type": "route", "to": "pc-77", "route": 1])
            #expect(try await legacy.expectType("error")["error"] == "Unknown message type: route")
        }
    }

    @Test("ids that are no text or too long are refused, and what is said in between waits for the registration")
    func idShapes() async throws {
        try await withServer { server in
            let peer = try await server.connect()
            try await peer.send(["type": "register", "peerId": 12345])
            #expect(try await peer.expectType("error")["error"] == "peerId must be a string")
            try await peer.send(["type": "register", "peerId": .string(String(repeating: "é", count: 129))])
            #expect(try await peer.expectType("error")["code"] == "invalid-id")
            let longest = String(repeating: "é", count: 128)
            try await peer.send(["type": "register", "peerId": .string(longest)])
            try await peer.send(["type": "message", "to": .string(longest), "payload": "at once"])
            #expect(try await peer.expectType("registered")["peerId"] == .string(longest))
            #expect(try await peer.expectType("message")["payload"] == "at once")
        }
    }

    @Test("an id spelt with escapes is the same id")
    func escapedIDs() async throws {
        try await withServer { server in
            let peer = try await server.connect()
            try await peer.send(raw: #"{"type":"register","peerId":"p\u0063-\u00e9\"77"}"#)
            #expect(try await peer.expectType("registered")["peerId"] == "pc-é\"77")
            try await peer.send(["type": "message", "to": "pc-é\"77", "payload": 1])
            #expect(try await peer.expectType("message")["from"] == "pc-é\"77")
            try await peer.send(raw: #"{"type":"message","to":"pc-\u00e9\u002277","payload":2}"#)
            #expect(try await peer.expectType("message")["payload"] == 2)
        }
    }

    @Test("an id made from a key belongs to that key alone, also at a server that has never seen it")
    func certifiedIDs() async throws {
        try await withServer { server in
            let owner = Identity()
            let id = DeviceID.certified(by: owner.did)
            let thief = try await server.connect()
            try await thief.register(id, proving: Identity(), host: thief.connection.host)
            #expect(try await thief.expectType("error")["code"] == "key-mismatch")
            _ = try await server.proven(id, owner)
            // An old program that cannot prove anything does not get it either, once it was proven.
            let old = try await server.connect()
            try await old.send(["type": "register", "peerId": .string(id)])
            #expect(try await old.expectType("error")["code"] == "proof-required")
        }
    }

    @Test("ids on disk are bounded for one key, for one address and over all, and an id made from its key needs none")
    func boundedIDs() async throws {
        let clock = ManualClock()
        let database = try signalingDatabase()
        let few: (inout SignalingServerConfiguration) -> Void = {
            $0.limits.idsPerKey = 2
            $0.limits.addressNewIDs = RateLimit(burst: 4, perSecond: 0.1)
        }
        try await withServer(few, database: database, clock: clock) { server in
            let identity = Identity()
            _ = try await server.proven("a", identity)
            _ = try await server.proven("b", identity)
            let third = try await server.connect()
            try await third.register("c", proving: identity, host: third.connection.host)
            #expect(try await third.expectType("error")["code"] == "too-many-ids")
            _ = try await server.proven("d")
            _ = try await server.proven("e")
            let fifth = try await server.connect()
            try await fifth.register("f", proving: Identity(), host: fifth.connection.host)
            #expect(try await fifth.expectType("error")["code"] == "too-many-ids")
            // Whose id names its key loses nothing by that.
            let phone = Identity()
            _ = try await server.proven(phone.did.text, phone)
            // What is known already is no news.
            _ = try await server.proven("a", identity)
            clock.advance(by: .seconds(11))
            _ = try await server.proven("f")
        }
        let rows = try await database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM signalingKey") }
        #expect(rows == 5)
    }

    @Test("where all ids are taken a new one is refused, known ones still register, and the metrics say both")
    func boundedOverAll() async throws {
        let clock = ManualClock()
        let metrics = PrometheusMetrics()
        let three: @Sendable (inout SignalingServerConfiguration) -> Void = {
            $0.limits.knownIDs = 3
            $0.limits.pingSteps = 1
        }
        // The process's metrics are fed by every test's server, these by this one alone.
        try await withMetricsFactory(metrics) {
            try await withServer(three, database: try signalingDatabase(), clock: clock, metrics: metrics) { server in
                func expectRefusal(of id: String) async throws {
                    let stranger = try await server.connect()
                    try await stranger.register(id, proving: Identity(), host: stranger.connection.host)
                    #expect(try await stranger.expectType("error")["code"] == "too-many-ids")
                }
                let owners = (0..<3).map { _ in Identity() }
                for (number, owner) in owners.enumerated() { _ = try await server.proven("pc-\(number)", owner) }
                try await expectRefusal(of: "new")
                // Known ids are counted when old ones are swept. A day later each registration is written down again.
                await clock.sleepers()
                clock.advance(by: .seconds(25 * 60 * 60))
                await clock.sleepers()
                // The disk's work is done in turns, and a turn sweeps last: the second of these waits for the sweep.
                for (number, owner) in owners.enumerated() { _ = try await server.proven("pc-\(number)", owner) }
                try await expectRefusal(of: "newer")
                let text = try await HTTPTests.get("/metrics", server).text
                #expect(text.contains("\nsignaling_ids_known 3\n"))
                #expect(text.contains("\nsignaling_ids_refused_total 2\n"))
            }
        }
    }

    @Test("the operator releases an id that a stranger took: its mail goes, and the next who proves it owns it")
    func released() async throws {
        try await withServer { server in
            let thief = try await server.proven("pc-77")
            let owner = Identity()
            let early = try await server.connect()
            try await early.register("pc-77", proving: owner, host: early.connection.host)
            #expect(try await early.expectType("error")["code"] == "key-mismatch")
            #expect(try await server.server.release("pc-77"))
            try await thief.expectType("kicked")
            let peer = try await server.proven("pc-77", owner)
            try await peer.expectNothing()
            #expect(try await server.server.release("unknown") == false)
        }
    }
}
