import Foundation
import Kernel
import KernelTesting
import Logging
import Rights
import Synchronization
import Testing

@testable import CommandServer
@testable import Commands
@testable import SystemInfoHost

@Suite("Commands that are served", .timeLimit(.minutes(4)))
struct CommandTests {
    private let caller = Caller(id: "did:key:z6MkA", name: "Ada's phone", proof: .session, rights: [])

    private func router(_ methods: [RemoteMethod], time: any TimeSource)
        -> CommandRouter
    {
        CommandRouter(methods: methods, logger: Logger(label: "test"), time: time)
    }

    @Test("system.ping answers pong with the time and the version")
    func ping() async {
        let clock = ManualClock()
        let router = router(PingSkill(version: "1.2.3", time: clock).methods, time: clock)
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
        let method = RemoteMethod("count.up", needs: nil, risk: .mutating) { _, _ in
            .integer(
                Int64(
                    runs.withLock {
                        $0 += 1; return $0
                    }
                )
            )
        }
        let router = router([method], time: clock)
        let request = CommandRequest(id: "same", method: "count.up")
        async let first = router.answer(request, from: caller)
        async let second = router.answer(request, from: caller)
        #expect(await first.outcome == .success(1))
        #expect(await second.outcome == .success(1))
        let other = Caller(id: "did:key:z6MkB", name: "Bo", proof: .session, rights: [])
        #expect(await router.answer(request, from: other).outcome == .success(2))
        clock.advance(by: .seconds(31))
        #expect(await router.answer(request, from: caller).outcome == .success(3))
    }

    @Test("a privileged method needs the skill to be allowed, and says how")
    func privileged() async {
        let method = RemoteMethod("terminal.create", risk: .privileged) { _, _ in "ok" }
        let clock = ManualClock()
        let router = router([method], time: clock)
        let refused = await router.answer(CommandRequest(id: "1", method: "terminal.create"), from: caller)
        #expect(
            refused.outcome
                == .failure(
                    RemoteFailure(
                        code: -32010,
                        message:
                            #"Ada's phone may not use terminal on this computer. Allow it there with: tandem devices allow "Ada's phone" terminal"#
                    )
                )
        )
        var trusted = caller
        trusted.rights = ["terminal"]
        #expect(
            await router.answer(CommandRequest(id: "2", method: "terminal.create"), from: trusted).outcome
                == .success("ok")
        )
    }

    @Test("a method nobody serves is named")
    func unknown() async {
        let router = router(PingSkill(version: "1").methods, time: .system)
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
}
