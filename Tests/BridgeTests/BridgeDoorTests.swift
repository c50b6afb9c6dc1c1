import Bridge
import CommandServer
import Commands
import Control
import Foundation
import Kernel
import KernelTesting
import Principals
import Rights
import Synchronization
import TandemDesktop
import Testing
import Transport

@testable import BridgeHost

@Suite("The bridge's door", .timeLimit(.minutes(2)))
struct BridgeDoorTests {
    @Test("both shapes of Hello, as text or binary, are answered with the documented HelloAck")
    func shapes() async throws {
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            let hellos = [#"{"type":"Hello","token":"\#(token)"}"#, #"{"token":"\#(token)"}"#]
            for hello in hellos {
                for isBinary in [false, true] {
                    let client = try await scene.open()
                    if isBinary {
                        try await client.connection.send(binary: Array(hello.utf8))
                    } else {
                        try await client.send(hello)
                    }
                    #expect(try await client.next() == #"{"type":"HelloAck","token":"\#(token)"}"#)
                    await client.connection.close()
                }
            }
            let entry = try #require(try await scene.tokens().first)
            #expect(entry.lastSeenAt != nil)
            #expect(entry.address == "127.0.0.1")
        }
    }

    @Test(
        "nothing is dispatched before Hello: every other first message closes the socket",
        arguments: [
            #"{"type":"Ping"}"#, #"{"type":"bell.lastRang.request","data":{}}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_version":"0.7.0"}}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"terminal/run","params":{"command":["id"]}}"#, "hello", "{}", "[1]", "",
            #"{"type":"Hello"}"#, #"{"type":"Hello","token":7}"#, #"{"type":"HelloAck","token":"T"}"#,
        ]
    )
    func gate(first: String) async throws {
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            let client = try await scene.open()
            try await client.send(first)
            // What follows at once is not looked at either.
            try? await client.send(#"{"token":"\#(token)"}"#)
            try? await client.send(#"{"type":"bell.lastRang.request","data":{}}"#)
            #expect(try await client.closing() == .policyViolation)
            #expect(scene.bell.callers.withLock { $0 }.isEmpty)
            #expect(try await scene.status().refused == ["hello": 1])
        }
    }

    @Test("a wrong token closes the socket, whatever it looks like")
    func wrongToken() async throws {
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            let wrong = [
                "x", String(token.dropLast()), token + "x", token.uppercased(), " \(token)", "OA_DEV_TOKEN",
                String(repeating: "x", count: 3000),
            ]
            for text in wrong {
                let client = try await scene.open()
                try await client.send(#"{"type":"Hello","token":"\#(text)"}"#)
                #expect(try await client.closing() == .wrongToken, "\(text)")
            }
            #expect(try await scene.status().refused == ["token": wrong.count])
            // This machine is not kept out.
            _ = try await scene.proven(token)
        }
    }

    @Test(
        "a first message of more than 4 KiB closes the socket before it is there, and one of a gigabyte is never taken"
    )
    func largeFirst() async throws {
        try await BridgeScene.run { scene in
            let client = try await scene.open()
            try? await client.send(#"{"token":"\#(String(repeating: "x", count: 4096))"}"#)
            #expect(try await client.closing() == .tooBig)
            #expect(try await scene.status().sockets == 0)

            let token = try await scene.token().text
            let proven = try await scene.proven(token)
            // From here on 1 MiB is taken, and not a byte more.
            let padding = String(repeating: "x", count: 900_000)
            try await proven.send(#"{"type":"bell.lastRang.request","data":{"pad":"\#(padding)","request_id":1}}"#)
            #expect(try #require(try await proven.next()).contains(#""code":-32004"#))
            let liar = try await RawTCP.upgraded(port: scene.port)
            try await liar.send([0x81, 0xFF, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4])
            #expect(try await liar.closeCode() == 1009)
        }
    }

    @Test("five wrong tokens of one address, or sixty of all, are waited for by whoever showed none that holds")
    func guesses() {
        let now = ManualClock().now
        var guesses = BridgeDoor.guesses
        for _ in 0..<4 { guesses.fail(.of("192.0.2.7"), now: now) }
        #expect(guesses.wait(of: .of("192.0.2.7"), now: now) == nil)
        guesses.fail(.of("192.0.2.7"), now: now)
        #expect(guesses.wait(of: .of("192.0.2.7"), now: now) == .seconds(10))
        for number in 0..<54 { guesses.fail(.of("198.51.100.\(number)"), now: now) }
        #expect(guesses.wait(of: .of("203.0.113.1"), now: now) == nil)
        guesses.fail(.of("198.51.100.99"), now: now)
        #expect(guesses.wait(of: .of("203.0.113.1"), now: now) == .seconds(10))
    }

    @Test("who says nothing is let go after ten seconds")
    func silence() async throws {
        let clock = ManualClock()
        try await BridgeScene.run(.init(time: clock)) { scene in
            let client = try await scene.open()
            await clock.sleeper(for: BridgeDoor.helloTime)
            clock.advance(by: BridgeDoor.helloTime)
            #expect(try await client.closing() == .helloMissing)
            #expect(try await scene.status().refused == ["silence": 1])
        }
    }

    @Test("two pings that stay unanswered end the socket")
    func pings() async throws {
        let clock = ManualClock()
        try await BridgeScene.run(.init(time: clock)) { scene in
            let token = try await scene.token().text
            let deaf = try await RawTCP.upgraded(port: scene.port)
            try await deaf.sendText(#"{"token":"\#(token)"}"#)
            #expect(try await deaf.text() == #"{"type":"HelloAck","token":"\#(token)"}"#)
            await clock.sleeper(for: BridgeDoor.helloTime)
            clock.advance(by: BridgeDoor.helloTime)
            for _ in 0...BridgeDoor.missLimit {
                await clock.sleeper(for: BridgeDoor.pingInterval)
                clock.advance(by: BridgeDoor.pingInterval)
            }
            #expect(try await deaf.opcodesUntilEnd() == [9, 9])
            while !Task.isCancelled, try await scene.status().sockets > 0 { await Task.yield() }
        }
    }

    @Test("Ping is answered, in every spelling, and what is not known is passed over")
    func ping() async throws {
        try await BridgeScene.run { scene in
            let client = try await scene.proven(try await scene.token().text)
            for text in [
                "nonsense", "{}", #"{"type":"threads.patch","data":{}}"#, #"{"type":"nothing.request","data":{}}"#,
                #"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, #"{"type":"HelloAck","token":""}"#,
                #"{"type":"Hello","token":"x"}"#, #"{"type":"Pong"}"#,
            ] { try await client.send(text) }
            for text in [#"{"type":"Ping"}"#, #"{"type":"ping","data":{}}"#, #"{"data":null,"type":" PING "}"#] {
                try await client.send(text)
                #expect(try await client.next() == #"{"type":"Pong"}"#)
            }
            try await client.connection.send(binary: Array(#"{"type":"Ping"}"#.utf8))
            #expect(try await client.next() == #"{"type":"Pong"}"#)
            try await client.connection.ping()
        }
    }

    // MARK: Requests

    @Test("a documented request is answered in the documented shape, under the method's own name")
    func request() async throws {
        try await BridgeScene.run { scene in
            let (id, token) = try await scene.token()
            let client = try await scene.proven(token)
            try await client.send(#"{"type":" BELL.LIST.Request ","data":{"topK":20}}"#)
            #expect(
                try await client.next()
                    == #"{"type":"bell.list.response","data":{"asked":{"topK":20},"items":[{"id":"0199a213","source":"codex","updated_at":1762261200000}]}}"#
            )
            try await client.send(#"{"type":"bell.lastrang.request","data":{"request_id":"7"}}"#)
            #expect(
                try await client.next()
                    == #"{"type":"bell.lastRang.response","data":{"asked":{},"items":[{"id":"0199a213","source":"codex","updated_at":1762261200000}],"request_id":"7"}}"#
            )
            let caller = try #require(scene.bell.callers.withLock { $0.first })
            #expect(caller == Caller(id: "bridge:\(id)", name: "Ada's phone", proof: .token, rights: [.bellRead]))
        }
    }

    @Test("requests without an id are answered in their order, those with one as they are done")
    func order() async throws {
        try await BridgeScene.run { scene in
            let client = try await scene.proven(try await scene.token().text)
            for text in [
                #"{"type":"bell.wait.request","data":{"n":1}}"#, #"{"type":"bell.wait.request","data":{"n":2}}"#,
                #"{"type":"bell.wait.request","data":{"n":3,"request_id":3}}"#,
            ] { try await client.send(text) }
            // The second is done first, and waits for the first.
            scene.bell.released.set([2])
            scene.bell.released.set([2, 3])
            #expect(try await client.next() == #"{"type":"bell.wait.response","data":{"n":3,"request_id":3}}"#)
            scene.bell.released.set([1, 2, 3])
            #expect(try await client.next() == #"{"type":"bell.wait.response","data":{"n":1}}"#)
            #expect(try await client.next() == #"{"type":"bell.wait.response","data":{"n":2}}"#)
        }
    }

    @Test("a token opens what it was given, and nothing of what every paired phone may")
    func rights() async throws {
        try await BridgeScene.run { scene in
            let reader = try await scene.proven(try await scene.token().text)
            for method in ["bell.ring", "garden.open", "bell.free", "registry.list"] {
                try await reader.send(#"{"type":"\#(method).request","data":{"request_id":1}}"#)
                let text = try #require(try await reader.next())
                let isServed = method != "registry.list"
                #expect(text.contains(isServed ? #""code":-32010"# : #""code":-32601"#), "\(text)")
            }
            // Without an id a refusal says nothing, as documented clients expect.
            try await reader.send(#"{"type":"bell.ring.request","data":{}}"#)
            try await reader.send(#"{"type":"Ping"}"#)
            #expect(try await reader.next() == #"{"type":"Pong"}"#)

            let ringer = try await scene.token("Bo", rights: ["bell.read,bell.ring"])
            let client = try await scene.proven(ringer.text)
            try await client.send(#"{"type":"bell.ring.request","data":{"request_id":1}}"#)
            let answers = [try await client.next(), try await client.next()]
            #expect(answers.contains(#"{"type":"bell.ring.response","data":{"rang":true,"request_id":1}}"#))
            #expect(answers.contains(#"{"type":"bell.rang","data":{"by":"bridge:\#(ringer.id)"}}"#))
            let allowed = ["bell.read", "bell.ring"]
            await #expect(throws: BridgeError.notForTokens("garden", allowed: allowed)) {
                try await scene.token("Eve", rights: ["garden"])
            }
            // Only what a token can have is proposed.
            await #expect(throws: RightsError.unknown("nothing", known: allowed)) {
                try await scene.token("Eve", rights: ["nothing"])
            }
            await #expect(throws: RightsError.none(known: allowed)) { try await scene.token("Eve", rights: [","]) }
        }
    }

    @Test("an answer of more than 512 KiB becomes an error, and without an id nothing")
    func largeAnswer() async throws {
        try await BridgeScene.run { scene in
            let client = try await scene.proven(try await scene.token().text)
            try await client.send(#"{"type":"bell.large.request","data":{"n":500000,"request_id":1}}"#)
            #expect(try #require(try await client.next()).utf8.count > 500_000)
            try await client.send(#"{"type":"bell.large.request","data":{"n":600000,"request_id":2}}"#)
            let text = try #require(try await client.next())
            #expect(text.contains(#""code":-32004"#) && text.contains(#""request_id":2"#), "\(text.prefix(200))")
        }
    }

    @Test("a token that asks too often is told so")
    func rate() async throws {
        var limits = GateLimits()
        limits.token = .init(burst: 2, perSecond: 0)
        try await BridgeScene.run(.init(limits: limits)) { scene in
            let client = try await scene.proven(try await scene.token().text)
            for number in 1...3 {
                try await client.send(#"{"type":"bell.lastRang.request","data":{"request_id":\#(number)}}"#)
                let text = try #require(try await client.next())
                #expect(text.contains(#""code":-32003"#) == (number == 3), "\(text)")
            }
        }
    }

    // MARK: Events and tokens that end

    @Test("an event reaches every socket of its token, with the right asked each time")
    func events() async throws {
        try await BridgeScene.run { scene in
            let (id, token) = try await scene.token()
            await #expect(throws: RemoteError.notConnected) { try await scene.bell.tell("bridge:\(id)") }
            let first = try await scene.proven(token)
            let second = try await scene.proven(token)
            // Once this is answered the socket is among those that are told.
            for client in [first, second] {
                try await client.send(#"{"type":"Ping"}"#)
                #expect(try await client.next() == #"{"type":"Pong"}"#)
            }
            try await scene.bell.tell("bridge:\(id)")
            for client in [first, second] {
                #expect(try await client.next() == #"{"type":"bell.rang","data":{"by":"street"}}"#)
            }
            let other = try await scene.token("Bo", rights: ["bell.ring"])
            let blind = try await scene.proven(other.text)
            try await blind.send(#"{"type":"Ping"}"#)
            _ = try await blind.next()
            await #expect(throws: RemoteError.notConnected) { try await scene.bell.tell("bridge:\(other.id)") }
        }
    }

    @Test("a device's dead socket holds up no event of its living one, and is let go when too much waits for it")
    func deadSocket() async throws {
        try await BridgeScene.run { scene in
            let (id, token) = try await scene.token()
            let dead = try await RawTCP.upgraded(port: scene.port)
            try await dead.sendText(#"{"token":"\#(token)"}"#)
            #expect(try await dead.text() == #"{"type":"HelloAck","token":"\#(token)"}"#)
            try await dead.stopReading()
            let living = try await scene.proven(token)
            try await living.send(#"{"type":"Ping"}"#)
            #expect(try await living.next() == #"{"type":"Pong"}"#)
            // More than waits for the dead one, and than the system takes of it.
            let text = String(repeating: "x", count: 400_000)
            for number in 0..<60 {
                try await scene.bell.tell("bridge:\(id)", "\(number)\(text)")
                #expect(try #require(try await living.next()).contains(#""by":"\#(number)x"#))
            }
            while !Task.isCancelled, try await scene.status().sockets > 1 { await Task.yield() }
            try await living.send(#"{"type":"Ping"}"#)
            #expect(try await living.next() == #"{"type":"Pong"}"#)
            withExtendedLifetime(dead) {}
        }
    }

    @Test("a token that is taken back closes its sockets at once, and ends what it kept going")
    func revocation() async throws {
        try await BridgeScene.run { scene in
            let (id, token) = try await scene.token()
            let other = try await scene.proven(try await scene.token("Bo").text)
            let client = try await scene.proven(token)
            let gone = try await scene.desktop.control.call(BridgeControl.revoke, BridgeTokenName("Ada's phone"))
            #expect(gone.id == id && gone.sockets == 1)
            #expect(try await client.closing() == .tokenRevoked)
            #expect(scene.bell.revoked.withLock { $0 } == ["bridge:\(id)"])
            await #expect(throws: RemoteError.notConnected) { try await scene.bell.tell("bridge:\(id)") }
            let again = try await scene.open()
            try await again.send(#"{"token":"\#(token)"}"#)
            #expect(try await again.closing() == .wrongToken)
            try await other.send(#"{"type":"Ping"}"#)
            #expect(try await other.next() == #"{"type":"Pong"}"#)
            #expect(try await scene.tokens().map(\.name) == ["Bo"])
            await #expect(throws: BridgeError.unknownToken(id)) {
                try await scene.desktop.control.call(BridgeControl.revoke, BridgeTokenName(id))
            }
        }
    }

    @Test("an id names one token, whatever another device calls itself")
    func nameOfAnother() async throws {
        try await BridgeScene.run { scene in
            let (id, _) = try await scene.token()
            let (other, _) = try await scene.token(id)
            let gone = try await scene.desktop.control.call(BridgeControl.revoke, BridgeTokenName(id))
            #expect(gone.id == id)
            #expect(try await scene.tokens().map(\.id) == [other])
        }
    }

    @Test("where there is no place for another token no code is shown")
    func codeForNothing() async throws {
        try await BridgeScene.run { scene in
            for _ in 0..<BridgeTokens.countLimit { _ = try await scene.token() }
            await #expect(throws: BridgeError.tooManyTokens(limit: BridgeTokens.countLimit)) {
                try await scene.desktop.control.call(BridgeControl.newToken, NewBridgeToken(code: true))
            }
        }
    }

    @Test("the developers' token opens the bridge on this machine only where its owner said so")
    func developersToken() async throws {
        try await BridgeScene.run(.init(settings: ["bridgeDevToken": true])) { scene in
            let client = try await scene.proven("OA_DEV_TOKEN")
            try await client.send(#"{"type":"bell.list.request","data":{}}"#)
            #expect(try await client.next()?.hasPrefix(#"{"type":"bell.list.response""#) == true)
            #expect(scene.bell.callers.withLock { $0.map(\.id) } == ["bridge:developer"])
            // A page has an origin, also one whose name was made to lead here.
            let name = "evil.local:\(scene.port)"
            let pages = [
                [("Host", name), ("Origin", "http://\(name)")], [("Origin", "http://127.0.0.1:\(scene.port)")],
            ]
            for headers in pages {
                let page = try await RawTCP.upgraded(port: scene.port, headers: headers)
                try await page.sendText(#"{"token":"OA_DEV_TOKEN"}"#)
                #expect(try await page.closeCode() == 4401)
            }
        }
    }

    @Test("the developers' token is none for a program of another account of this machine")
    func developersTokenOfOthers() async throws {
        try await BridgeScene.run(.init(settings: ["bridgeDevToken": true], isOwn: { _ in false })) { scene in
            let program = try await RawTCP.upgraded(port: scene.port)
            try await program.sendText(#"{"token":"OA_DEV_TOKEN"}"#)
            #expect(try await program.closeCode() == 4401)
            // A token of its own counts, whoever's program shows it.
            _ = try await scene.proven(try await scene.token().text)
        }
    }

    @Test("the oldest socket of a token gives way to a ninth")
    func sockets() async throws {
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            var clients: [RawClient] = []
            for _ in 0...BridgeDoor.socketLimit { clients.append(try await scene.proven(token)) }
            #expect(try await clients[0].closing() == .tooMuch)
            try await clients[1].send(#"{"type":"Ping"}"#)
            #expect(try await clients[1].next() == #"{"type":"Pong"}"#)
        }
    }

    // MARK: Version 2

    @Test("a ninth socket is served at once, also where the oldest does not answer its end")
    func deadOldest() async throws {
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            var dead: [RawTCP] = []
            for _ in 0..<BridgeDoor.socketLimit {
                let socket = try await RawTCP.upgraded(port: scene.port)
                try await socket.sendText(#"{"token":"\#(token)"}"#)
                #expect(try await socket.text() == #"{"type":"HelloAck","token":"\#(token)"}"#)
                dead.append(socket)
            }
            let client = try await scene.proven(token)
            try await client.send(#"{"type":"Ping"}"#)
            #expect(try await client.next() == #"{"type":"Pong"}"#)
            // The oldest has its three seconds to say good-bye.
            #expect(try await scene.status().sockets == BridgeDoor.socketLimit + 1)
            #expect(try await dead[0].closeCode() == 4429)
        }
    }

    @Test("version 2 learns who is there, and scans a code that is good once")
    func code() async throws {
        let notifier = HangingNotifier()
        try await BridgeScene.run(.init(notifier: notifier)) { scene in
            let given = try await scene.desktop.control.call(BridgeControl.newToken, NewBridgeToken(code: true))
            let code = try #require(given.payload.flatMap { BridgeCode(text: $0) })
            #expect(code.hosts == ["127.0.0.1"] && Int(code.port) == scene.port)
            #expect(code.keyHash == scene.bridge.keyHash && code.name == "studio-pc")
            let client = try await scene.open(secure: true)
            try await client.send(#"{"type":"Hello","code":"\#(code.code)","name":"Ada's \u001bphone","v":2}"#)
            // It waits for no notification service, which may take longer than a client waits.
            let ack = try await client.nextJSON()
            #expect(ack["type"] == "HelloAck" && ack["token"] == "" && ack["server_name"] == "studio-pc")
            #expect(ack["protocol"] == 2)
            let token = try #require(ack["next_token"]?.stringValue)
            #expect(token.hasPrefix("tdb_") && token.utf8.count == 47)
            #expect(try await scene.tokens().map(\.name) == ["Ada's phone"])
            let entry = try #require(try await scene.tokens().first)
            #expect(entry.id == ack["device_id"]?.stringValue)
            // The owner sees that it is there, and from where the code was used.
            #expect(entry.lastSeenAt != nil && entry.address == "127.0.0.1" && entry.sockets == 1)
            notifier.goesOn.set(true)
            for await titles in notifier.titles.values() where !titles.isEmpty {
                #expect(titles == ["Ada's phone was added to the bridge"])
                break
            }
            _ = try await scene.proven(token)
            let again = try await scene.open()
            try await again.send(#"{"type":"Hello","code":"\#(code.code)","name":"Eve","v":2}"#)
            #expect(try await again.closing() == .wrongToken)
        }
    }

    @Test("who watches a code is told which device used it, or that none did")
    func watchedCode() async throws {
        let clock = ManualClock()
        try await BridgeScene.run(.init(time: clock)) { scene in
            let shown = AsyncStream.makeStream(of: GivenBridgeToken.self)
            func watch(_ name: String?) -> Task<BridgeCodeEnd, any Error> {
                Task {
                    let new = NewBridgeToken(name: name, code: true)
                    return try await scene.desktop.control.call(BridgeControl.watchCode, new) {
                        shown.continuation.yield($0)
                    }
                }
            }
            var codes = shown.stream.makeAsyncIterator()
            let used = watch("")
            let code = try #require(await codes.next()?.payload.flatMap { BridgeCode(text: $0) })
            let client = try await scene.open(secure: true)
            try await client.send(#"{"type":"Hello","code":"\#(code.code)","name":"Ada's phone","v":2}"#)
            _ = try await client.nextJSON()
            let entry = try #require(try await used.value.entry)
            #expect(entry.name == "Ada's phone" && entry.address == "127.0.0.1")

            let unused = watch(nil)
            _ = await codes.next()
            await clock.sleeper(for: BridgeCodes.lifetime)
            clock.advance(by: BridgeCodes.lifetime)
            #expect(try await unused.value.entry == nil)

            // Of more codes than are kept the oldest is over.
            let displaced = watch(nil)
            _ = await codes.next()
            for _ in 0..<BridgeCodes.countLimit {
                _ = try await scene.desktop.control.call(BridgeControl.newToken, NewBridgeToken(code: true))
            }
            #expect(try await displaced.value.entry == nil)
        }
    }

    @Test("a code ends after five minutes")
    func oldCode() async throws {
        let clock = ManualClock()
        try await BridgeScene.run(.init(time: clock)) { scene in
            let given = try await scene.desktop.control.call(BridgeControl.newToken, NewBridgeToken(code: true))
            let code = try #require(given.payload.flatMap { BridgeCode(text: $0) })
            clock.advance(by: BridgeCodes.lifetime)
            let client = try await scene.open()
            try await client.send(#"{"type":"Hello","code":"\#(code.code)","name":"Eve","v":2}"#)
            #expect(try await client.closing() == .wrongToken)
            #expect(try await scene.tokens().isEmpty)
        }
    }

    @Test("an old token is replaced for a client that keeps the next one, and ends when that is used")
    func rotation() async throws {
        let clock = ManualClock()
        try await BridgeScene.run(.init(time: clock)) { scene in
            func next(_ token: String, rotate: Bool = true) async throws -> (ack: JSONValue, next: String?) {
                let client = try await scene.open()
                try await client.send(#"{"token":"\#(token)","v":2,"rotate":\#(rotate)}"#)
                let ack = try await client.nextJSON()
                await client.connection.close()
                return (ack, ack["next_token"]?.stringValue)
            }
            let token = try await scene.token().text
            #expect(try await next(token).next == nil)
            clock.advance(by: .seconds(30 * 86_400))
            #expect(try await next(token, rotate: false).next == nil)
            let lost = try #require(try await next(token).next)
            // The answer was lost: the client asks again with what it has.
            let new = try #require(try await next(token).next)
            #expect(new != lost)
            _ = try await scene.proven(token)
            _ = try await scene.proven(new)
            for text in [token, lost] {
                let client = try await scene.open()
                try await client.send(#"{"token":"\#(text)"}"#)
                #expect(try await client.closing() == .wrongToken)
            }
        }
    }

    @Test("a token that was replaced is good for one more day, also when the new one was not used")
    func overlap() async throws {
        let clock = ManualClock()
        try await BridgeScene.run(.init(time: clock)) { scene in
            let token = try await scene.token().text
            clock.advance(by: .seconds(30 * 86_400))
            let client = try await scene.open()
            try await client.send(#"{"token":"\#(token)","v":2,"rotate":true}"#)
            let new = try #require(try await client.nextJSON()["next_token"]?.stringValue)
            clock.advance(by: .seconds(86_400))
            _ = try await scene.proven(token)
            clock.advance(by: .seconds(1))
            let late = try await scene.open()
            try await late.send(#"{"token":"\#(token)"}"#)
            #expect(try await late.closing() == .wrongToken)
            _ = try await scene.proven(new)
        }
    }
}

/// A notification service that hangs until a test lets it go on.
final class HangingNotifier: DesktopNotifier {
    let goesOn = LatestValue(false)
    let titles = LatestValue<[String]>([])

    func notify(_ title: String, _ body: String) async throws {
        for await goesOn in goesOn.values() where goesOn { break }
        titles.update { $0.append(title) }
    }
}
