import Foundation
import GRDB
import Kernel
import KernelTesting
import RouteServer
import Sealing
import Storage
import Testing
import Transport

@testable import SignalingServer

@Suite("What strangers can hold", .timeLimit(.minutes(4)))
struct StrangerTests {
    @Test("a WebSocket that does not register in time is closed, and one that registered is not")
    func idle() async throws {
        try await withServer {
            $0.limits.registrationTimeout = .seconds(2)
        } _: { server in
            let peer = try await server.peer("a")
            let idle = try await server.connect()
            #expect(await idle.nextMessage() == nil)
            #expect(idle.connection.closure == .byPeer(.policyViolation, reason: "Not registered in time"))
            try await peer.expectNothing()
        }
    }

    @Test("a socket whose code has ended is a socket without an id, and is closed in time")
    func idleAfterCode() async throws {
        try await withServer {
            $0.limits.registrationTimeout = .seconds(2)
            // The sweep that ends codes runs at each step of the ping interval. Short steps of a long interval: a machine that
            // stands still for a while must not lose the socket to a pong that is late.
            $0.limits.pingInterval = .seconds(600)
            $0.limits.pingSteps = 12_000
            $0.limits.aliasLifetime = .milliseconds(1)
        } _: { server in
            let holder = try await server.peer("pairing-code:482913")
            #expect(await holder.nextMessage() == nil)
            #expect(holder.connection.closure == .byPeer(.policyViolation, reason: "Not registered in time"))
        }
    }

    @Test("where there is no room, the oldest socket that has not registered gives way to one that may")
    func oldestGivesWay() async throws {
        try await withServer {
            $0.limits.connections = 3
        } _: { server in
            let peer = try await server.peer("a")
            let first = try await server.connect()
            let second = try await server.connect()
            let later = try await server.peer("b")
            #expect(await first.nextMessage() == nil)
            #expect(first.connection.closure == .byPeer(.tryAgainLater, reason: "Server at capacity"))
            try await second.expectNothing()
            try await later.expectNothing()
            try await peer.expectNothing()
        }
    }

    @Test("registered strangers leave room for the holders of unmetered keys")
    func reserved() async throws {
        let phone = Identity()
        let did = phone.did
        try await withServer {
            $0.limits.connections = 3
            $0.limits.reservedConnections = 1
            $0.isUnmetered = { $0 == did }
        } _: { server in
            let first = try await server.proven("a")
            let second = try await server.peer("b")
            let third = try await server.connect()
            try await third.send(["type": "register", "peerId": "c"])
            #expect(try await third.expectType("error")["code"] == "full")
            await third.close()
            let paired = try await server.proven(did.text, phone)
            try await paired.expectNothing()
            try await second.expectNothing()
            await first.close()
            // Its place is free again once the server has heard.
            while true {
                let again = try await server.connect()
                try await again.send(["type": "register", "peerId": "c"])
                if try await again.next()?["type"] == "registered" { break }
                await again.close()
            }
        }
    }

    @Test("health is answered while more slow heads drip than there are places, whatever their method")
    func slowHeads() async throws {
        try await withServer {
            $0.limits.httpConnections = 4
        } _: { server in
            var sockets: [RawSocket] = []
            for number in 0..<12 {
                let socket = try await RawSocket(port: server.port)
                try await socket.send(Array((number.isMultiple(of: 2) ? "GET /health" : "POST /heal").utf8))
                sockets.append(socket)
            }
            // And more that had their first request answered and do not go away.
            for _ in 0..<6 {
                let socket = try await RawSocket(port: server.port)
                try await socket.send(Array("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /".utf8))
                _ = await socket.received { String(decoding: $0, as: UTF8.self).contains("healthy") }
                sockets.append(socket)
            }
            let request = Array("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
            let status = try await server.status(of: request)
            #expect(status == 200)
            for socket in sockets { await socket.close() }
        }
    }

    @Test("a head that does not end in time ends its connection, whatever its method", arguments: ["GET /", "POST /"])
    func unfinishedHead(start: String) async throws {
        try await withServer {
            $0.limits.handshakeTimeout = .milliseconds(200)
        } _: { server in
            let socket = try await RawSocket(port: server.port)
            try await socket.send(Array(start.utf8))
            let answer = await socket.received()
            #expect(answer.isEmpty)
        }
    }

    /// The head of a masked text frame of 1 MiB, and a little of it.
    private static let begun: [UInt8] = [0x81, 0xFF, 0, 0, 0, 0, 0, 0x10, 0, 0, 1, 2, 3, 4] + Array("{\"type\":".utf8)

    @Test("unfinished messages are bounded over all sockets: the one that began first is given up")
    func unfinishedMessages() async throws {
        try await withServer {
            // Each takes 128 KiB as soon as it has begun.
            $0.limits.arrivalBytes = 1200 * 1024
        } _: { server in
            let peer = try await server.peer("peer")
            var sockets: [RawSocket] = []
            for number in 0..<12 {
                let socket = try await RawSocket.webSocket(port: server.port)
                try await socket.send(
                    RawSocket.frame(0x81, Array(#"{"type":"register","peerId":"s\#(number)"}"#.utf8))
                )
                await socket.received { String(decoding: $0, as: UTF8.self).contains("registered") }
                try await socket.send(Self.begun)
                sockets.append(socket)
            }
            let answer = await sockets[0].received { $0.contains(0x88) }
            #expect(String(decoding: answer, as: UTF8.self).contains("Too much is arriving"))
            let frame = JSONValue.string(String(repeating: "x", count: 300_000))
            try await peer.send(["type": "message", "to": "peer", "payload": frame])
            try await peer.expectType("message")
            for socket in sockets { await socket.close() }
        }
    }

    @Test("a message of more than 64 KiB closes a socket that has not registered, and is forwarded for one that has")
    func longBeforeRegistering() async throws {
        try await withServer { server in
            func ping(of count: Int) -> String {
                let (start, end) = (#"{"type":"ping","x":""#, #""}"#)
                return start + String(repeating: "x", count: count - start.utf8.count - end.utf8.count) + end
            }
            let stranger = try await server.connect()
            try await stranger.send(raw: ping(of: 64 * 1024))
            try await stranger.expectType("pong")
            do {
                try await stranger.send(raw: ping(of: 64 * 1024 + 1))
            } catch WebSocketError.closed {
                // The answer may come before the last byte has left.
            }
            #expect(await stranger.nextMessage() == nil)
            #expect(stranger.connection.closure == .byPeer(.tooBig, reason: "A message is at most 65536 bytes"))
            let peer = try await server.peer("a")
            try await peer.send(raw: ping(of: 64 * 1024 + 1))
            try await peer.expectType("pong")
            let payload = JSONValue.string(String(repeating: "x", count: 64 * 1024))
            try await peer.send(["type": "message", "to": "a", "payload": payload])
            #expect(try await peer.expectType("message")["payload"] == payload)
        }
    }

    @Test("a message that is not finished in time ends its socket, pings between its parts or not")
    func slowMessage() async throws {
        let clock = ManualClock()
        try await withServer({ $0.limits.pingSteps = 1 }, clock: clock) { server in
            let socket = try await RawSocket.webSocket(port: server.port)
            try await socket.send(RawSocket.frame(0x81, Array(#"{"type":"register","peerId":"s"}"#.utf8)))
            await socket.received { String(decoding: $0, as: UTF8.self).contains("registered") }
            // The first part of a message in parts, and a ping, whose pong says that both were read.
            try await socket.send(RawSocket.frame(0x01, Array("{".utf8)) + RawSocket.frame(0x89, Array("p".utf8)))
            await socket.received { $0.suffix(3) == [0x8A, 1, UInt8(ascii: "p")] }
            await clock.sleepers()
            clock.advance(by: .seconds(30))
            let answer = await socket.received { String(decoding: $0, as: UTF8.self).contains("took too long") }
            #expect(String(decoding: answer, as: UTF8.self).contains("A message took too long"))
            await socket.close()
        }
    }

    @Test("frames to ids that do not exist leave no pairs on disk, and the pairs that are kept are bounded")
    func pairsOnDisk() async throws {
        let database = try signalingDatabase()
        var limits = SignalingLimits()
        limits.contactRows = 16
        let directory = SQLiteDirectory(database, limits: limits)
        func rows() async throws -> Int? {
            try await database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM signalingContact") }
        }
        func pair(_ sender: String, _ recipient: String, at: Int64, isHere: Bool = true) -> SentPair {
            SentPair(sender: PeerID(sender), recipient: PeerID(recipient), at: at, isRecipientHere: isHere)
        }
        #expect(try await directory.noteSent((0..<100).map { pair("s", "x\($0)", at: 1, isHere: false) }).count == 100)
        #expect(try await rows() == 0)
        // Two who know each other, before a flood.
        #expect(try await directory.noteSent([pair("a", "b", at: 1), pair("b", "a", at: 1)]) == [false, true])
        _ = try await directory.noteSent((0..<100).map { pair("s\($0)", "a", at: 2) })
        #expect(try await rows() ?? 0 <= 16)
        #expect(try await directory.entries(for: [PeerID("a")])[PeerID("a")]?.contacts == [PeerID("b")])
        // Somebody who is away is noted when it is known.
        _ = try await directory.bind([KeyBinding(id: PeerID("pc"), key: Identity().did, at: 1)])
        _ = try await directory.noteSent([pair("a", "pc", at: 3, isHere: false)])
        #expect(try await directory.noteSent([pair("pc", "a", at: 3)]) == [true])
    }

    @Test("ids are told page by page, those seen last first, with names that go with them")
    func owned() async throws {
        let directory = SQLiteDirectory(try signalingDatabase())
        for (id, time) in [("a", Int64(1)), ("b", 3), ("c", 3), ("d", 2)] {
            _ = try await directory.bind([KeyBinding(id: PeerID(id), key: Identity().did, at: time)])
            #expect(try await directory.name(PeerID(id), "name of \(id)"))
        }
        let first = try await directory.owned(after: nil, limit: 2)
        #expect(first.map(\.id) == [PeerID("b"), PeerID("c")])
        // One that came in between moves no other.
        _ = try await directory.bind([KeyBinding(id: PeerID("e"), key: Identity().did, at: 9)])
        #expect(try await directory.owned(after: first.last?.place, limit: 9).map(\.id) == [PeerID("d"), PeerID("a")])
        #expect(try await directory.ownedCount() == 5)
        #expect(try await directory.name(PeerID("b"), nil))
        _ = try await directory.sweep(unseenBefore: 2, unheardBefore: 0)
        #expect(try await directory.release(PeerID("c")))
        #expect(try await directory.names() == [PeerID("d"): "name of d"])
    }

    @Test("ids unseen for long are forgotten unless mail waits for them, and so are pairs")
    func swept() async throws {
        let database = try signalingDatabase()
        let directory = SQLiteDirectory(database)
        let mailbox = SQLiteMailbox(database)
        let (old, young) = (Identity().did, Identity().did)
        for (id, key, time) in [("old", old, Int64(1)), ("waiting", old, 1), ("young", young, 100)] {
            #expect(try await directory.bind([KeyBinding(id: PeerID(id), key: key, at: time)]) == [key])
        }
        let frame = MailboxFrame(recipient: PeerID("waiting"), sender: nil, isProven: true, storedAt: 1, bytes: [1])
        #expect(try await mailbox.store([frame]) == [true])
        let pair = SentPair(sender: PeerID("a"), recipient: PeerID("b"), at: 1, isRecipientHere: true)
        _ = try await directory.noteSent([pair])
        #expect(try await directory.sweep(unseenBefore: 50, unheardBefore: 50) == 2)
        let entries = try await directory.entries(for: ["old", "waiting", "young"].map { PeerID($0) })
        #expect(entries[PeerID("old")]?.key == nil)
        #expect(entries[PeerID("waiting")]?.key == old)
        #expect(entries[PeerID("young")]?.key == young)
        #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM signalingContact") } == 0)
    }

    @Test("a database of the version before is brought up to date with its owners, pairs and frames")
    func migrated() async throws {
        let schema: Schema = [SignalingDatabase.migrations]
        let database = try StateDatabase.inMemory(schema: Schema("before", [Array(schema.migrations.prefix(1))]))
        let key = Identity().did
        try await database.write { database in
            try database.execute(sql: "INSERT INTO signalingKey VALUES ('\"pc\"', ?)", arguments: [key.text])
            try database.execute(sql: "INSERT INTO signalingContact VALUES ('\"a\"', '\"b\"', 5)")
            try database.execute(
                sql: "INSERT INTO signalingMailbox (recipient, storedAt, frame) VALUES ('\"pc\"', 5, x'01')"
            )
        }
        try schema.apply(to: database)
        let directory = SQLiteDirectory(database)
        let mailbox = SQLiteMailbox(database)
        let entry = try await directory.entries(for: [PeerID("pc")])[PeerID("pc")]
        #expect(entry?.key == key)
        #expect((entry?.seenAt ?? 0) > 1_600_000_000_000)
        #expect(try await mailbox.count() == 1)
        let totals = "SELECT mailboxes || ' ' || bytes || ' ' || unprovenMailboxes FROM signalingMailboxTotal"
        #expect(try await database.read { try String.fetchOne($0, sql: totals) } == "1 1 0")
        try await mailbox.remove(for: PeerID("pc"), through: .max)
        #expect(try await mailbox.count() == 0)
        #expect(try await directory.sweep(unseenBefore: .max, unheardBefore: .max) == 0)
    }

    @Test("the oldest gives way first, and those that left are not in the way")
    func oldestFirst() {
        var line = OldestFirst<Int>()
        let places = (0..<200).map { line.append($0) }
        for place in places[..<150] { line.remove(place) }
        #expect(line.oldest() == 150)
        #expect(line.takeOldest() == 150)
        #expect(line.takeOldest() == 151)
        #expect(line.count == 48)
        for place in places { line.remove(place) }
        #expect(line.takeOldest() == nil)
    }

    @Test("the debt of an address is one burst at most, so that others behind it are not locked out after a flood")
    func boundedDebt() {
        var limits = SignalingLimits()
        limits.addressMessages = RateLimit(burst: 10, perSecond: 5)
        limits.addressRegistrations = RateLimit(burst: 4, perSecond: 2)
        let record = AddressRecord(text: "203.0.113.7", isLoopback: false, limits: limits, now: 0)
        for _ in 0..<1000 {
            _ = record.spend(100, now: 0)
            _ = record.spendRegistration(now: 0)
        }
        #expect(record.spend(0, now: 0) == 2_000_000_000)
        #expect(record.spend(0, now: 1_000_000_000) == 1_000_000_000)
        #expect(record.spend(0, now: 2_000_000_000) == 0)
        #expect(record.spend(1, now: 2_000_000_000) == 200_000_000)
        #expect(record.spendRegistration(now: 1_000_000_000) == 1_500_000_000)
        #expect(record.spendRegistration(now: 3_000_000_000) == 0)
    }

    @Test("every limit can be read and set by its name")
    func limitSettings() {
        var limits = SignalingLimits()
        #expect(Set(LimitSetting.all.map(\.name)).count == LimitSetting.all.count)
        for setting in LimitSetting.all {
            #expect(setting.set(7, in: &limits), "\(setting.name)")
            #expect(setting.value(in: limits) == 7, "\(setting.name)")
            #expect(!setting.set(-1, in: &limits), "\(setting.name)")
        }
        #expect(limits.connections == 7)
        #expect(limits.aliasLifetime == .seconds(7))
        #expect(abs(limits.addressAliases.perSecond - 7.0 / 60) < 1e-9)
        for setting in LimitSetting.all {
            #expect(!setting.set(.max, in: &limits), "\(setting.name)")
            #expect(!setting.set(setting.range.upperBound + 1, in: &limits), "\(setting.name)")
            #expect(setting.set(setting.range.upperBound, in: &limits), "\(setting.name)")
        }
        // These would trap where they do not fit.
        #expect(limits.idLifetime.nanoseconds == 315_360_000 * 1_000_000_000)
        #expect(limits.mailboxBytes == 1_000_000_000_000)
        #expect(limits.messageBytes == 1 << 30)
    }
}
