import CommandClient
import Commands
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

/// What a client hands to its link, and what the link makes of it.
private final class Link: Sendable {
    let sent: AsyncStream<JSONValue>
    private let report: AsyncStream<JSONValue>.Continuation

    init() { (sent, report) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(64)) }

    func send(_ envelope: JSONValue) { report.yield(envelope) }
}

@Suite("Command client", .timeLimit(.minutes(5)))
struct CommandClientTests {
    private let link = Link()

    private func client(time: any TimeSource = .system) -> RemoteCommandClient {
        RemoteCommandClient(mobileDID: "did:key:z6MkA", time: time) { [link] in link.send($0) }
    }

    private func response(_ payload: JSONValue) -> JSONValue {
        ["type": "chainlesschain:command:response", "payload": payload]
    }

    @Test("a request goes out in the documented form under the id it was given, durable where it is to be")
    func form() async throws {
        let client = client()
        var sent = link.sent.makeAsyncIterator()
        for (isDurable, extra) in [(false, [:]), (true, ["durable": true])] as [(Bool, [String: JSONValue])] {
            async let result = client.invoke(
                CommandRequest(id: "r-1", method: "clipboard.set", params: ["content": "a"], isDurable: isDurable)
            )
            let payload: [String: JSONValue] = [
                "id": "r-1", "method": "clipboard.set", "params": ["content": "a"],
                "auth": ["mobileDid": "did:key:z6MkA", "did": "did:key:z6MkA"], "acceptsStream": true,
            ]
            let envelope = try #require(await sent.next())
            #expect(
                envelope == [
                    "type": "chainlesschain:command:request", "payload": .object(payload.merging(extra) { $1 }),
                ]
            )
            let read = try CommandRequest(envelope: envelope)
            #expect(read.id == "r-1")
            #expect(read.isDurable == isDurable)
            #expect(read.acceptsStream)
            #expect(await client.receive(response(["id": "r-1", "result": ["ok": true]])))
            #expect(try await result == ["ok": true])
        }
    }

    @Test("a durable that is no flag is none")
    func durableClaim() throws {
        let request = try CommandRequest(envelope: [
            "type": "chainlesschain:command:request",
            "payload": ["id": "1", "method": "a.b", "durable": "yes", "acceptsStream": 1],
        ])
        #expect(request == CommandRequest(id: "1", method: "a.b"))
    }

    @Test(
        "every observed answer ends the call with what it says",
        arguments: [
            (#"{"id":"1","result":{"ok":true}}"#, Result<JSONValue, RemoteFailure>.success(["ok": true])),
            (#"{"jsonrpc":"2.0","id":"1","result":{"ok":true},"error":null}"#, .success(["ok": true])),
            (#"{"id":"1"}"#, .success([:])),
            (#"{"id":"1","error":null}"#, .success([:])),
            (#"{"id":"1","error":"no"}"#, .failure(RemoteFailure(code: -32603, message: "no"))),
            (
                #"{"jsonrpc":"2.0","id":"1","result":null,"error":{"code":-32601,"message":"no","data":{"a":1}}}"#,
                .failure(RemoteFailure(code: -32601, message: "no"))
            ),
            (
                #"{"id":"1","result":{"ok":true},"error":{"code":-32000,"message":"late"}}"#,
                .failure(RemoteFailure(code: -32000, message: "late"))
            ),
            (
                #"{"id":"1","error":{}}"#,
                .failure(
                    RemoteFailure(code: -32603, message: "The computer answered with an error and did not say why.")
                )
            ),
        ]
    )
    func dialects(text: String, outcome: Result<JSONValue, RemoteFailure>) async throws {
        for payload in [try JSONValue(parsing: text.utf8), .string(text)] {
            let client = client()
            var sent = link.sent.makeAsyncIterator()
            let call = Task { try await client.invoke(CommandRequest(id: "1", method: "a.b")) }
            _ = await sent.next()
            #expect(await client.receive(response(payload)))
            switch outcome {
            case .success(let result): #expect(try await call.value == result)
            case .failure(let failure): await #expect(throws: failure) { try await call.value }
            }
        }
    }

    @Test("a computer's new program gets durable requests again under their ids, and no others")
    func restarted() async throws {
        let client = client()
        var sent = link.sent.makeAsyncIterator()
        let plain = Task { try await client.invoke(CommandRequest(id: "plain", method: "a.b")) }
        _ = await sent.next()
        async let durable = client.invoke(CommandRequest(id: "durable", method: "a.b", isDurable: true))
        let first = await sent.next()
        await client.desktopRestarted()
        #expect(await sent.next() == first)
        // What the first program began to say is not waited for.
        for id in ["plain", "durable"] {
            let announcement = try #require(RemoteStreamAnnouncement(id: "s-" + id, byteCount: 2048, chunkSize: 1024))
            #expect(await client.receive(response(["id": .string(id), "result": announcement.result])))
        }
        await client.desktopRestarted()
        #expect(await sent.next() == first)
        #expect(await client.receive(response(["id": "durable", "result": ["ok": true]])))
        #expect(try await durable == ["ok": true])
        await #expect(throws: RemoteError.notConnected) { try await plain.value }
    }

    @Test("a computer's new program is asked again what may be done twice, and nothing that may not")
    func repeatable() async throws {
        let client = client()
        var sent = link.sent.makeAsyncIterator()
        let plain = Task { try await client.invoke("a.once") }
        _ = await sent.next()
        async let answer = client.invoke("a.b", isRepeatable: true)
        let first = await sent.next()
        await client.desktopRestarted()
        #expect(await sent.next() == first)
        let id = try #require(first?["payload"]?["id"])
        #expect(await client.receive(response(["id": id, "result": ["ok": true]])))
        #expect(try await answer == ["ok": true])
        await client.close()
        await #expect(throws: RemoteError.notConnected) { try await plain.value }
    }

    @Test("late, repeated and foreign answers harm nobody")
    func strays() async throws {
        let client = client()
        var sent = link.sent.makeAsyncIterator()
        async let answer = client.invoke(CommandRequest(id: "1", method: "a.b"))
        _ = await sent.next()
        #expect(await client.receive(response(["id": "2", "result": "foreign"])))
        #expect(await client.receive(response("not json")))
        #expect(await client.receive(response(["id": "1", "result": "first"])))
        #expect(await client.receive(response(["id": "1", "result": "second"])))
        #expect(try await answer == "first")
        #expect(await client.receive(["type": "chainlesschain:event", "payload": ["event": "a"]]) == false)
        #expect(await client.receive(["type": "chainlesschain:heartbeat"]) == false)
    }

    @Test(
        "what cannot be asked is refused before anything is sent",
        arguments: [
            (CommandRequest(id: "1", method: ""), "a method is 1 to 128 letters, for example system.ping"),
            (CommandRequest(id: "1", method: "a b"), "a method is 1 to 128 letters, for example system.ping"),
            (
                CommandRequest(id: "1", method: String(repeating: "m", count: 129)),
                "a method is 1 to 128 letters, for example system.ping"
            ),
            (CommandRequest(id: "", method: "a.b"), "a request id has 1 to 128 bytes"),
            (CommandRequest(id: String(repeating: "i", count: 129), method: "a.b"), "a request id has 1 to 128 bytes"),
            (CommandRequest(id: "1", method: "a.b", params: [1]), "the parameters of a.b must be an object"),
        ]
    )
    func arguments(request: CommandRequest, reason: String) async {
        let client = RemoteCommandClient(mobileDID: "did:key:z6MkA") { _ in Issue.record("something was sent") }
        await #expect(throws: RemoteError.invalidArgument(reason)) { try await client.invoke(request) }
    }

    @Test("a time of zero to wait is refused")
    func noTime() async {
        await #expect(throws: RemoteError.invalidArgument("the time to wait for an answer must be above 0")) {
            try await client().invoke("a.b", timeout: .zero)
        }
    }

    @Test("two calls at a time under one id are refused; one after the other is the same request again")
    func sameID() async throws {
        let client = client()
        var sent = link.sent.makeAsyncIterator()
        let request = CommandRequest(id: "1", method: "a.b")
        async let first = client.invoke(request)
        let envelope = await sent.next()
        await #expect(throws: RemoteError.invalidArgument("a call under the id 1 waits already")) {
            try await client.invoke(request)
        }
        _ = await client.receive(response(["id": "1", "result": 1]))
        #expect(try await first == 1)
        async let again = client.invoke(request)
        #expect(await sent.next() == envelope)
        _ = await client.receive(response(["id": "1", "result": 2]))
        #expect(try await again == 2)
    }

    @Test("what the carrier says is told; a carrier that closes is no connection")
    func carriers() async {
        struct Broken: Error, CustomStringConvertible { var description: String { "no route" } }
        let cases: [(any Error, RemoteError)] = [
            (Broken(), .allTransportsFailed(lastError: "no route")), (RemoteError.notPaired, .notPaired),
            (CancellationError(), .notConnected),
        ]
        for (thrown, expected) in cases {
            let client = RemoteCommandClient(mobileDID: "did:key:z6MkA") { _ in throw thrown }
            await #expect(throws: expected) { try await client.invoke("system.ping") }
        }
    }

    @Test("a caller that leaves tells the desktop; the durable request goes on")
    func cancelled() async throws {
        let client = client()
        var sent = link.sent.makeAsyncIterator()
        for (id, isDurable) in [("durable", true), ("plain", false)] {
            let call = Task {
                try await client.invoke(CommandRequest(id: id, method: "a.b", isDurable: isDurable))
            }
            _ = await sent.next()
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        // Had the durable one been cancelled too, that would have been sent first.
        let cancel = try #require(await sent.next())
        #expect(
            cancel == ["type": "chainlesschain:command:cancel", "payload": ["id": "plain", "reason": "cancelled"]]
        )
        #expect(try CommandCancel(envelope: cancel) == CommandCancel(id: "plain"))
        await client.close()
    }

    @Test("silence ends after the time given, names the request, and cancels nothing: it may still be done")
    func timeout() async throws {
        let clock = ManualClock()
        let client = client(time: clock)
        var sent = link.sent.makeAsyncIterator()
        let call = Task { try await client.invoke(CommandRequest(id: "1", method: "a.b"), timeout: .seconds(5)) }
        _ = await sent.next()
        await clock.sleeper(for: .seconds(5))
        clock.advance(by: .seconds(5))
        let error = RemoteError.timeout(id: "1", method: "a.b", after: .seconds(5))
        await #expect(throws: error) { try await call.value }
        async let again = client.invoke(CommandRequest(id: "1", method: "a.b"))
        #expect(await sent.next()?["type"] == "chainlesschain:command:request")
        _ = await client.receive(response(["id": "1", "result": "late"]))
        #expect(try await again == "late")
    }

    @Test("at most 256 answers are owed at a time")
    func limit() async throws {
        let client = client(time: ManualClock())
        var sent = link.sent.makeAsyncIterator()
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<256 {
                group.addTask { _ = try await client.invoke("a.b") }
                _ = await sent.next()
            }
            await #expect(throws: RemoteError.tooManyWaiting(limit: 256)) { try await client.invoke("a.b") }
            await client.close()
            while let result = await group.nextResult() {
                #expect(throws: RemoteError.notConnected) { try result.get() }
            }
        }
    }
}
