import Foundation
import GRDB
import Kernel
import KernelTesting
import Sealing
import SignalingServer
import Storage
import Testing

@Suite("Frames for those who are away", .timeLimit(.minutes(5)))
struct MailboxTests {
    @Test("of 105 frames the last 100 arrive, in order, once, also over a restart")
    func hundred() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a test's leftovers harm nobody
        let file = folder.appending(path: "hub.sqlite")
        try await withServer(database: try StateDatabase.open(file, schema: [SignalingDatabase.migrations])) { server in
            let sender = try await server.peer("sender")
            for number in 0..<105 {
                try await sender.send(["type": "message", "to": "away", "payload": ["n": .integer(Int64(number))]])
            }
            for _ in 0..<105 { try await sender.expectType("peer-offline") }
        }
        try await withServer(database: try StateDatabase.open(file, schema: [SignalingDatabase.migrations])) { server in
            let reader = try await server.peer("away")
            for number in 5..<105 {
                let frame = try await reader.expectType("offline-message")
                #expect(frame["originalMessage"]?["payload"]?["n"] == .integer(Int64(number)))
                #expect(frame["originalMessage"]?["from"] == "sender")
            }
            try await reader.expectNothing()
            await reader.close()
            let again = try await server.peer("away")
            try await again.expectNothing()
        }
    }

    @Test("frames sent while the mailbox is delivered come behind it")
    func orderOfDelivery() async throws {
        try await withServer {
            $0.limits.mailboxFrames = 1000
            $0.limits.addressMailBytes = .unlimited
        } _: { server in
            let sender = try await server.peer("sender")
            let filler = JSONValue.string(String(repeating: "x", count: 100_000))
            for number in 0..<60 {
                try await sender.send([
                    "type": "message", "to": "away", "payload": ["n": .integer(Int64(number)), "x": filler],
                ])
            }
            for _ in 0..<60 { try await sender.expectType("peer-offline") }
            let reader = try await server.connect()
            try await reader.send(["type": "register", "peerId": "away"])
            try await reader.expectType("registered")
            try await sender.send(["type": "message", "to": "away", "payload": ["n": 60]])
            for number in 0..<60 {
                let frame = try await reader.expectType("offline-message")
                #expect(frame["originalMessage"]?["payload"]?["n"] == .integer(Int64(number)))
            }
            #expect(try await reader.expectType("message")["payload"]?["n"] == 60)
        }
    }

    @Test("after 24 hours a frame is not delivered, though nothing swept it")
    func lifetime() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let sender = try await server.peer("sender")
            try await sender.send(["type": "message", "to": "away", "payload": "old"])
            try await sender.expectType("peer-offline")
            clock.advance(by: .seconds(3600))
            try await sender.send(["type": "message", "to": "away", "payload": "young"])
            try await sender.expectType("peer-offline")
            clock.advance(by: .seconds(23 * 3600 + 1))
            let reader = try await server.peer("away")
            #expect(try await reader.expectType("offline-message")["originalMessage"]?["payload"] == "young")
            try await reader.expectNothing()
        }
    }

    @Test("a candidate is kept without a notice in the embedded dialect, as observed")
    func silentCandidates() async throws {
        try await withServer { server in
            let sender = try await server.peer("sender")
            try await sender.send(["type": "ice-candidate", "to": "away", "candidate": ["candidate": "c"]])
            try await sender.send(["type": "message", "to": "away", "payload": 1])
            try await sender.expectType("peer-offline")
            let reader = try await server.peer("away")
            #expect(try await reader.expectType("offline-message")["originalMessage"]?["type"] == "ice-candidate")
            #expect(try await reader.expectType("offline-message")["originalMessage"]?["type"] == "message")
        }
    }

    @Test("an offer for the computer the server is in, before its own socket came, is announced as pending")
    func offerPending() async throws {
        try await withServer {
            $0.localPeer = LocalPeer(id: "host", deviceName: "pc", platform: "linux", ipAddress: "192.0.2.2")
        } _: { server in
            let phone = try await server.peer("phone")
            try await phone.send(["type": "offer", "to": "host", "sdp": "v=0"])
            #expect(try await phone.expectType("offer-pending")["peerId"] == "host")
            try await phone.send(["type": "message", "to": "host", "payload": 1])
            try await phone.expectType("peer-offline")
            let host = try await server.connect()
            try await host.send(["type": "register", "peerId": "host"])
            #expect(try await host.expectType("registered")["isReconnect"] == true)
            #expect(try await host.expectType("offline-message")["originalMessage"]?["type"] == "offer")
            try await host.expectType("offline-message")
            await host.close()
            try await phone.send(["type": "offer", "to": "host", "sdp": "v=0"])
            #expect(try await phone.expectType("peer-offline")["messageType"] == "offer")
        }
    }

    @Test("a sender whose share is used up is told that its frame was not kept, and that the device is away")
    func shareUsedUp() async throws {
        try await withServer {
            $0.limits.mailboxFramesPerSender = 2
            $0.limits.mailboxes = 2
            $0.limits.unprovenMailShare = 1
        } _: { server in
            let sender = try await server.peer("sender")
            for target in ["a", "a", "b"] {
                try await sender.send(["type": "message", "to": .string(target), "payload": 1])
            }
            try await sender.expectType("peer-offline")
            try await sender.expectType("peer-offline")
            #expect(try await sender.expectType("error")["code"] == "not-stored")
            #expect(try await sender.expectType("peer-offline")["peerId"] == "b")
            let other = try await server.peer("other")
            for target in ["b", "c"] { try await other.send(["type": "message", "to": .string(target), "payload": 1]) }
            try await other.expectType("peer-offline")
            #expect(try await other.expectType("error")["code"] == "not-stored")
            #expect(try await other.expectType("peer-offline")["peerId"] == "c")
        }
    }

    @Test("the store drops the oldest frame of all when the bytes are used up, and keeps its order")
    func byteCap() async throws {
        var limits = SignalingLimits()
        limits.mailboxBytes = 250
        let mailbox = SQLiteMailbox(try signalingDatabase(), limits: limits)
        let frames = (0..<3).map { number in
            MailboxFrame(
                recipient: PeerID(number == 1 ? "b" : "a"),
                sender: nil,
                isProven: true,
                storedAt: Int64(number),
                bytes: Array(repeating: UInt8(number), count: 100)
            )
        }
        #expect(try await mailbox.store(frames) == [true, true, true])
        #expect(try await mailbox.count() == 2)
        let kept = try await mailbox.frames(for: PeerID("a"), after: 0, storedSince: 0, maximumBytes: 1000)
        #expect(kept.map(\.storedAt) == [2])
        #expect(
            try await mailbox.store([
                MailboxFrame(
                    recipient: PeerID("c"),
                    sender: nil,
                    isProven: true,
                    storedAt: 9,
                    bytes: Array(repeating: 0, count: 251)
                )
            ]) == [false]
        )
        try await mailbox.remove(for: PeerID("a"), through: kept[0].number)
        try await mailbox.removeStored(before: 2)
        #expect(try await mailbox.count() == 0)
    }

    @Test("the totals that bounds are held against are those of the frames, whatever comes, goes and gives way")
    func totals() async throws {
        var limits = SignalingLimits()
        limits.mailboxes = 12
        limits.mailboxFrames = 4
        limits.mailboxBytes = 4000
        limits.unprovenMailShare = 0.5
        let database = try signalingDatabase()
        let mailbox = SQLiteMailbox(database, limits: limits)
        func numbers(_ sql: String) async throws -> [Int64] {
            try await database.read { database in
                let row = try #require(try Row.fetchOne(database, sql: sql))
                return (0..<4).map { row[$0] }
            }
        }
        var random = SystemRandomNumberGenerator()
        var seen: Set<Int64> = []
        for time in Int64(0)..<300 {
            let frames = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                MailboxFrame(
                    recipient: PeerID("r\(Int.random(in: 0..<16, using: &random))"),
                    sender: nil,
                    isProven: Bool.random(using: &random),
                    storedAt: time,
                    bytes: Array(repeating: 7, count: Int.random(in: 1...300, using: &random))
                )
            }
            _ = try await mailbox.store(frames)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try await mailbox.remove(for: frames[0].recipient, through: .max)
            case 1: try await mailbox.removeStored(before: time - 3)
            // A batch that fails changes nothing.
            case 2:
                try? await database.write { database in
                    try database.execute(sql: "DELETE FROM signalingMailbox")
                    throw CancellationError()
                }
            default: break
            }
            let kept = try await numbers(
                "SELECT mailboxes, bytes, unprovenMailboxes, unprovenBytes FROM signalingMailboxTotal"
            )
            let counted = try await numbers(
                """
                SELECT COUNT(DISTINCT recipient), COALESCE(SUM(LENGTH(frame)), 0),
                COUNT(DISTINCT CASE WHEN NOT isProven THEN recipient END),
                COALESCE(SUM((NOT isProven) * LENGTH(frame)), 0) FROM signalingMailbox
                """
            )
            #expect(kept == counted)
            seen.insert(kept[0])
        }
        #expect(seen.count > 3)
    }

    @Test("senders without a proof share a tenth of the mailboxes and bytes, and leave the rest to others")
    func unprovenShare() async throws {
        var limits = SignalingLimits()
        limits.mailboxes = 20
        limits.mailboxBytes = 10_000
        let mailbox = SQLiteMailbox(try signalingDatabase(), limits: limits)
        func frame(_ recipient: String, isProven: Bool, _ size: Int = 100) -> MailboxFrame {
            MailboxFrame(
                recipient: PeerID(recipient),
                sender: PeerID("s"),
                isProven: isProven,
                storedAt: 1,
                bytes: Array(repeating: 0, count: size)
            )
        }
        // Two mailboxes are a tenth of twenty.
        #expect(
            try await mailbox.store([
                frame("a", isProven: false), frame("b", isProven: false), frame("c", isProven: false),
                frame("c", isProven: true), frame("a", isProven: false, 800), frame("a", isProven: false),
            ]) == [true, true, false, true, true, false]
        )
        // What was taken makes room again.
        try await mailbox.remove(for: PeerID("a"), through: .max)
        #expect(try await mailbox.store([frame("c", isProven: false)]) == [true])
    }

    @Test("an address that leaves too much waiting is told that it is not kept, while others' frames are")
    func addressMail() async throws {
        let identity = Identity()
        let did = identity.did
        try await withServer {
            $0.limits.addressMailBytes = RateLimit(burst: 1000, perSecond: 0.001)
            $0.isUnmetered = { $0 == did }
        } _: { server in
            let stranger = try await server.peer("stranger")
            let filler = JSONValue.string(String(repeating: "x", count: 600))
            try await stranger.send(["type": "message", "to": "away", "payload": filler])
            try await stranger.expectType("peer-offline")
            try await stranger.send(["type": "message", "to": "away", "payload": filler])
            #expect(try await stranger.expectType("error")["code"] == "not-stored")
            #expect(try await stranger.expectType("peer-offline")["peerId"] == "away")
            let phone = try await server.proven(did.text, identity)
            try await phone.send(["type": "message", "to": "away", "payload": filler])
            try await phone.expectType("peer-offline")
        }
    }

    @Test("a server that keeps mail for a few ids answers for the others that they are away, and keeps nothing")
    func keepsForItsOwn() async throws {
        try await withServer {
            $0.keepsMail = { $0 == "pc-77" }
        } _: { server in
            let sender = try await server.peer("sender")
            for id in ["pc-77", "nobody"] {
                try await sender.send(["type": "message", "to": .string(id), "payload": 1])
                try await sender.expectType("peer-offline")
            }
            let nobody = try await server.peer("nobody")
            try await nobody.expectNothing()
            let own = try await server.peer("pc-77")
            try await own.expectType("offline-message")
        }
    }
}
