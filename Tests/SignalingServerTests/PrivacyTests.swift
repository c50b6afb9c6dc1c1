import GRDB
import Kernel
import KernelTesting
import Sealing
import SignalingServer
import Testing
import Transport

@Suite("Who sees whom, and who may speak", .timeLimit(.minutes(5)))
struct PrivacyTests {
    @Test("an unregistered sender is refused and its frame goes nowhere")
    func unregistered() async throws {
        try await withServer { server in
            let target = try await server.peer("pc-77")
            let stranger = try await server.connect()
            try await stranger.send(["type": "message", "from": "phone", "to": "pc-77", "payload": "hello"])
            #expect(try await stranger.expectType("error")["code"] == "not-registered")
            try await stranger.send(["type": "offer", "from": "phone", "to": "pc-77", "sdp": "v=0"])
            #expect(try await stranger.expectType("error")["code"] == "not-registered")
            try await stranger.send(["type": "get-peers"])
            #expect(try await stranger.expectType("peers-list")["peers"] == [])
            try await target.expectNothing()
        }
    }

    @Test("`from` is the server's on every kind of frame, in both dialects", arguments: SignalingDialect.allCases)
    func forgedSender(dialect: SignalingDialect) async throws {
        try await withServer {
            $0.dialect = dialect
        } _: { server in
            let phone = try await server.peer("phone")
            let desktop = try await server.peer("pc-77")
            for type in ["message", "offer", "answer", "ice-candidate", "pairing:request", "pairing:reject"] {
                try await phone.send([
                    "type": .string(type), "from": "forged", "to": "pc-77", "payload": "p", "sdp": "s",
                    "candidate": "c",
                ])
                #expect(try await desktop.expectType(type)["from"] == "phone")
            }
        }
    }

    @Test("presence and lists are for those who exchanged frames, both ways", arguments: SignalingDialect.allCases)
    func presence(dialect: SignalingDialect) async throws {
        try await withServer {
            $0.dialect = dialect
        } _: { server in
            let stranger = try await server.peer("stranger")
            let phone = try await server.peer("phone")
            let desktop = try await server.peer("pc-77")
            // One way only: knowing an id is not being known.
            try await stranger.send(["type": "message", "to": "phone", "payload": 1])
            try await phone.expectType("message")
            try await phone.send(["type": "message", "to": "pc-77", "payload": 1])
            try await desktop.expectType("message")
            try await desktop.send(["type": "message", "to": "phone", "payload": 2])
            try await phone.expectType("message")
            // Contacts are written to the directory behind the frames; a registration comes behind that.
            let later = try await server.peer("later")
            await later.close()

            try await phone.send(["type": "get-peers"])
            let list = try await phone.expectType("peers-list")
            #expect(list["peers"]?.arrayValue?.map { $0["peerId"] } == ["pc-77"])
            await desktop.close()
            #expect(try await phone.expectType("peer-status")["status"] == "offline")
            let again = try await server.peer("pc-77")
            let online = try await phone.expectType("peer-status")
            #expect(online["peerId"] == "pc-77")
            #expect(online["status"] == "online")
            try await again.send(["type": "get-peers"])
            #expect(try await again.expectType("peers-list")["peers"]?.arrayValue?.map { $0["peerId"] } == ["phone"])
            try await stranger.send(["type": "get-peers"])
            #expect(try await stranger.expectType("peers-list")["count"] == 0)
            try await stranger.expectNothing()
        }
    }

    @Test("a list holds the contacts that are here in the order they came, and oneself where that is asked for")
    func listOrder() async throws {
        try await withServer { server in
            let stranger = try await server.peer("stranger")
            let phone = try await server.peer("phone")
            var desktops: [TestPeer] = []
            for id in ["pc-2", "pc-1", "pc-3"] {
                let desktop = try await server.peer(id)
                try await phone.send(["type": "message", "to": .string(id), "payload": 1])
                try await desktop.expectType("message")
                try await desktop.send(["type": "message", "to": "phone", "payload": 2])
                try await phone.expectType("message")
                desktops.append(desktop)
            }
            // Contacts are written to the directory behind the frames; a registration comes behind that.
            let later = try await server.peer("later")
            await later.close()
            await desktops[1].close()
            #expect(try await phone.expectType("peer-status")["status"] == "offline")

            func list(_ type: String, of peer: TestPeer) async throws -> [JSONValue?]? {
                try await peer.send(["type": .string(type)])
                return try await peer.expectType("peers-list")["peers"]?.arrayValue?.map { $0["peerId"] }
            }
            #expect(try await list("get-peers", of: phone) == ["pc-2", "pc-3"])
            #expect(try await list("peer-status", of: phone) == ["phone", "pc-2", "pc-3"])
            #expect(try await list("get-peers", of: desktops[0]) == ["phone"])
            #expect(try await list("get-peers", of: stranger) == [])
            #expect(try await list("peer-status", of: stranger) == ["stranger"])
        }
    }

    @Test("who answers a stranger with a refusal does not become its contact")
    func refusedStranger() async throws {
        try await withServer { server in
            let stranger = try await server.peer("stranger")
            let desktop = try await server.peer("pc-77")
            try await stranger.send(["type": "message", "to": "pc-77", "payload": "let me in"])
            try await desktop.expectType("message")
            try await desktop.send(["type": "message", "to": "stranger", "payload": "no", "contact": false])
            #expect(
                Set(try await stranger.expectType("message").objectValue?.keys ?? [:].keys) == [
                    "type", "from", "payload", "timestamp",
                ]
            )
            let later = try await server.peer("later")
            await later.close()
            try await stranger.send(["type": "get-peers"])
            #expect(try await stranger.expectType("peers-list")["count"] == 0)
            await desktop.close()
            try await stranger.expectNothing()
        }
    }

    @Test("contacts are remembered over a restart")
    func rememberedContacts() async throws {
        let database = try signalingDatabase()
        try await withServer(database: database) { server in
            let phone = try await server.peer("phone")
            let desktop = try await server.peer("pc-77")
            try await phone.send(["type": "message", "to": "pc-77", "payload": 1])
            try await desktop.expectType("message")
            try await desktop.send(["type": "message", "to": "phone", "payload": 2])
            try await phone.expectType("message")
        }
        try await withServer(database: database) { server in
            let phone = try await server.peer("phone")
            let desktop = try await server.peer("pc-77")
            #expect(try await phone.expectType("peer-status")["peerId"] == "pc-77")
            try await phone.send(["type": "peer-status", "peerId": "pc-77"])
            #expect(try await phone.expectType("peer-status-response")["status"] == "online")
            let stranger = try await server.peer("stranger")
            try await stranger.send(["type": "peer-status", "peerId": "pc-77"])
            #expect(try await stranger.expectType("peer-status-response")["status"] == "offline")
            try await desktop.expectNothing()
        }
    }
}

@Suite("Typed codes", .timeLimit(.minutes(5)))
struct AliasTests {
    private let code = "pairing-code:482913"

    @Test("a code that somebody shows cannot be taken over")
    func collision() async throws {
        try await withServer { [code] server in
            let desktop = try await server.peer("pc-77")
            try await desktop.send(["type": "register", "peerId": .string(code)])
            try await desktop.expectType("registered")
            let thief = try await server.connect()
            try await thief.send(["type": "register", "peerId": .string(code)])
            #expect(try await thief.expectType("error")["code"] == "alias-taken")
            try await desktop.send(["type": "message", "to": .string(code), "payload": "mine"])
            try await desktop.expectType("message")
        }
    }

    @Test("a connection has one code: a new one takes the place of the last")
    func oneCode() async throws {
        try await withServer { [code] server in
            let desktop = try await server.peer("pc-77")
            for alias in [code, "pairing-code:111111"] {
                try await desktop.send(["type": "register", "peerId": .string(alias)])
                try await desktop.expectType("registered")
            }
            try await desktop.send(["type": "message", "to": .string(code), "payload": "old"])
            #expect(try await desktop.expectType("peer-offline")["peerId"] == .string(code))
            try await desktop.send(["type": "message", "to": "pairing-code:111111", "payload": "new"])
            try await desktop.expectType("message")
        }
    }

    @Test("a code ends after five minutes, and registering it again does not prolong it")
    func lifetime() async throws {
        let clock = ManualClock()
        let hourly: (inout SignalingServerConfiguration) -> Void = {
            $0.limits.pingInterval = .seconds(3600)
            $0.limits.pingSteps = 60
        }
        try await withServer(hourly, clock: clock) { [code] server in
            let desktop = try await server.peer("pc-77")
            try await desktop.send(["type": "register", "peerId": .string(code)])
            try await desktop.expectType("registered")
            for _ in 0..<4 {
                await clock.sleepers()
                clock.advance(by: .seconds(60))
            }
            try await desktop.send(["type": "register", "peerId": .string(code)])
            try await desktop.expectType("registered")
            await clock.sleepers()
            clock.advance(by: .seconds(60))
            // Housekeeping is done with a minute when it sleeps again, and its word has reached the socket's thread after a
            // round trip: a message that is there at once would be read first.
            await clock.sleepers()
            try await desktop.expectNothing()
            try await desktop.send(["type": "message", "to": .string(code), "payload": "late"])
            try await desktop.expectType("peer-offline")
        }
    }

    @Test("frames for a code that nobody shows are not kept for whoever shows it next")
    func notQueued() async throws {
        try await withServer { [code] server in
            let phone = try await server.peer("phone")
            try await phone.send(["type": "message", "to": .string(code), "payload": "stale ack"])
            try await phone.expectType("peer-offline")
            let desktop = try await server.peer(code)
            try await desktop.expectNothing()
        }
    }

    @Test(
        "an address that guessed ten codes in a minute is answered the same, and reaches not even a real one for a while"
    )
    func guessing() async throws {
        let clock = ManualClock()
        // The limit of a socket would come first.
        try await withServer({ $0.limits.socketAliases = .unlimited }, clock: clock) { [code] server in
            let desktop = try await server.proven("pc-77")
            try await desktop.send(["type": "register", "peerId": .string(code)])
            try await desktop.expectType("registered")
            let guesser = try await server.peer("guesser")
            // Showing the code was one of the ten.
            for guess in 0..<9 {
                try await guesser.send(["type": "message", "to": .string("pairing-code:00000\(guess)"), "payload": 1])
                try await guesser.expectType("peer-offline")
            }
            try await guesser.send(["type": "message", "to": .string(code), "payload": 1])
            let answer = try await guesser.expectType("peer-offline")
            #expect(Set(answer.objectValue?.keys ?? [:].keys) == ["type", "peerId", "messageType", "timestamp"])
            try await desktop.expectNothing()
            clock.advance(by: .seconds(7))
            try await guesser.send(["type": "message", "to": .string(code), "payload": 2])
            #expect(try await desktop.expectType("message")["payload"] == 2)
        }
    }

    @Test("one socket that guesses is stopped before the others of its address are")
    func guessingSocket() async throws {
        let clock = ManualClock()
        try await withServer({ $0.limits.socketAliases.burst = 3 }, clock: clock) { [code] server in
            let desktop = try await server.peer(code)
            let guesser = try await server.peer("guesser")
            for guess in 0..<8 {
                try await guesser.send(["type": "message", "to": .string("pairing-code:00000\(guess)"), "payload": 1])
                try await guesser.expectType("peer-offline")
            }
            try await guesser.send(["type": "message", "to": .string(code), "payload": 1])
            try await guesser.expectType("peer-offline")
            let phone = try await server.peer("phone")
            try await phone.send(["type": "message", "to": .string(code), "payload": 2])
            #expect(try await desktop.expectType("message")["payload"] == 2)
        }
    }

    @Test("registering a code, free or taken, costs what looking one up costs, and says nothing once that is used up")
    func registeringCosts() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { [code] server in
            let desktop = try await server.peer(code)
            // One of the ten of this address is spent.
            for guess in 0..<9 {
                let thief = try await server.connect()
                let tried = guess.isMultiple(of: 2) ? code : "pairing-code:11111\(guess)"
                try await thief.send(["type": "register", "peerId": .string(tried)])
                if guess.isMultiple(of: 2) {
                    #expect(try await thief.expectType("error")["code"] == "alias-taken")
                } else {
                    try await thief.expectType("registered")
                }
                await thief.close()
            }
            for tried in [code, "pairing-code:222222"] {
                let thief = try await server.connect()
                try await thief.send(["type": "register", "peerId": .string(tried)])
                let refusal = try await thief.expectType("error")
                #expect(refusal["code"] == "alias-limit")
                #expect(refusal["retryAfter"] == 12_001, "ten a minute: one to show, one to look up")
            }
            // Looking one up comes from the same ten.
            let phone = try await server.peer("phone")
            try await phone.send(["type": "message", "to": .string(code), "payload": 1])
            try await phone.expectType("peer-offline")
            clock.advance(by: .seconds(7))
            try await phone.send(["type": "message", "to": .string(code), "payload": 2])
            #expect(try await desktop.expectType("message")["payload"] == 2)
        }
    }

    @Test("the computer whose server it is shows codes as often as its person likes")
    func ownCodes() async throws {
        let identity = Identity()
        let did = identity.did
        try await withServer({ $0.isUnmetered = { $0 == did } }, clock: ManualClock()) { server in
            for number in 0..<15 {
                let peer = try await server.proven("pairing-code:1000\(10 + number)", identity)
                await peer.close()
            }
        }
    }
}
