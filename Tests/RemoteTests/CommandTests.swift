import Foundation
import Kernel
import KernelTesting
import Logging
import Synchronization
import Testing

@testable import CommandClient
@testable import CommandServer
@testable import Commands
@testable import SystemInfoHost

@Suite("Commands", .timeLimit(.minutes(4)))
struct CommandTests {
    private let caller = Caller(id: "did:key:z6MkA", name: "Ada's phone", proof: .session, allowedSkills: [])

    private func router(_ methods: [RemoteMethod], now: @escaping @Sendable () -> ContinuousClock.Instant)
        -> CommandRouter
    {
        CommandRouter(methods: methods, logger: Logger(label: "test"), now: now)
    }

    @Test("system.ping answers pong with the time and the version")
    func ping() async {
        let clock = ManualClock()
        let router = router([SystemMethods.ping(version: "1.2.3", now: { clock.date })], now: { clock.now })
        let response = await router.answer(CommandRequest(id: "1", method: "system.ping"), from: caller)
        #expect(
            response.outcome
                == .success(["pong": true, "ts": .integer(clock.date.millisecondsSince1970), "version": "1.2.3"])
        )
    }

    @Test("a repeated request is answered from memory, also while it still runs; after 30 s it is a new one")
    func repeated() async {
        let clock = ManualClock()
        let runs = Mutex(0)
        let method = RemoteMethod("count.up", permission: nil, risk: .mutating) { _, _ in
            .integer(
                Int64(
                    runs.withLock {
                        $0 += 1; return $0
                    }
                )
            )
        }
        let router = router([method], now: { clock.now })
        let request = CommandRequest(id: "same", method: "count.up")
        async let first = router.answer(request, from: caller)
        async let second = router.answer(request, from: caller)
        #expect(await first.outcome == .success(1))
        #expect(await second.outcome == .success(1))
        let other = Caller(id: "did:key:z6MkB", name: "Bo", proof: .session, allowedSkills: [])
        #expect(await router.answer(request, from: other).outcome == .success(2))
        clock.advance(by: .seconds(31))
        #expect(await router.answer(request, from: caller).outcome == .success(3))
    }

    @Test("a privileged method needs the skill to be allowed, and says how")
    func privileged() async {
        let method = RemoteMethod("terminal.create", risk: .privileged) { _, _ in "ok" }
        let clock = ManualClock()
        let router = router([method], now: { clock.now })
        let refused = await router.answer(CommandRequest(id: "1", method: "terminal.create"), from: caller)
        #expect(
            refused.outcome
                == .failure(
                    RemoteFailure(
                        code: -32010,
                        message:
                            "Ada's phone may not use terminal on this computer. Allow it there with: tandem devices allow did:key:z6MkA terminal"
                    )
                )
        )
        var trusted = caller
        trusted.allowedSkills = ["terminal"]
        #expect(
            await router.answer(CommandRequest(id: "2", method: "terminal.create"), from: trusted).outcome
                == .success("ok")
        )
    }

    @Test("a method nobody serves is named")
    func unknown() async {
        let router = router([SystemMethods.ping(version: "1")], now: { ContinuousClock().now })
        let outcome = await router.answer(CommandRequest(id: "1", method: "juggling.start"), from: caller).outcome
        #expect(outcome == .failure(RemoteFailure(code: -32601, message: "Unknown command namespace: juggling")))
        let near = await router.answer(CommandRequest(id: "2", method: "system.dance"), from: caller).outcome
        #expect(
            near
                == .failure(
                    RemoteFailure(
                        code: -32601,
                        message: "Unknown method: system.dance. This computer serves system, but not that."
                    )
                )
        )
    }

    /// A client whose messages are answered by a closure.
    private func client(
        clock: any Clock<Duration> = ContinuousClock(),
        answering answer: @escaping @Sendable (CommandRequest, RemoteCommandClient) async throws -> Void
    ) -> RemoteCommandClient {
        let box = Mutex<RemoteCommandClient?>(nil)
        let client = RemoteCommandClient(mobileDID: "did:key:z6MkA", clock: clock) { envelope in
            let request = try CommandRequest(envelope: envelope)
            guard let client = box.withLock({ $0 }) else { return }
            try await answer(request, client)
        }
        box.withLock { $0 = client }
        return client
    }

    @Test("each caller gets its own answer, whatever the order they come in")
    func answers() async throws {
        let held = Mutex<CommandRequest?>(nil)
        let client = client { request, client in
            let earlier: CommandRequest? = held.withLock { held in
                defer { if held == nil { held = request } }
                return held
            }
            guard let earlier else { return }
            for request in [request, earlier] {
                let response = CommandResponse(id: request.id, outcome: .success(request.params))
                _ = await client.receive(response.envelope(form: .object))
            }
        }
        async let one = client.invoke("echo.a", ["n": 1])
        async let two = client.invoke("echo.b", ["n": 2])
        #expect(try await one == ["n": 1])
        #expect(try await two == ["n": 2])
    }

    @Test("silence ends in a timeout, and the late answer harms nobody")
    func timeout() async throws {
        let sent = Mutex<CommandRequest?>(nil)
        let client = client(clock: ImmediateClock()) { request, _ in sent.withLock { $0 = request } }
        await #expect(throws: RemoteError.timeout(id: "one", method: "system.ping", after: .seconds(30))) {
            try await client.invoke(CommandRequest(id: "one", method: "system.ping"))
        }
        if let request = sent.withLock({ $0 }) {
            #expect(
                await client.receive(CommandResponse(id: request.id, outcome: .success([:])).envelope(form: .object))
            )
        }
        #expect(await client.receive(["type": "chainlesschain:event"]) == false)
    }

    @Test("closing ends every wait")
    func closed() async throws {
        let client = client { _, client in await client.close() }
        await #expect(throws: RemoteError.notConnected) { try await client.invoke("system.ping") }
    }

    @Test("a link that cannot send is the caller's error")
    func sendFails() async throws {
        let client = RemoteCommandClient(mobileDID: "did:key:z6MkA") { _ in throw RemoteError.notConnected }
        await #expect(throws: RemoteError.notConnected) { try await client.invoke("system.ping") }
    }
}
