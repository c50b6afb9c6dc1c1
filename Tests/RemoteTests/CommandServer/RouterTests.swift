import Foundation
import Kernel
import KernelTesting
import Logging
import Rights
import Synchronization
import Testing

@testable import CommandServer
@testable import Commands

@Suite("The router", .timeLimit(.minutes(5)))
struct RouterTests {
    private let clock = ManualClock()
    private let caller = Caller(id: "did:key:z6MkA", name: "Ada's phone", proof: .session, rights: ["work"])

    private func router(_ methods: [RemoteMethod]) -> CommandRouter {
        CommandRouter(methods: methods, logger: Logger(label: "test"), time: clock)
    }

    /// Runs until it is cancelled, and says when it has begun.
    private func endless(_ begun: AsyncStream<Void>.Continuation) -> RemoteMethod {
        RemoteMethod("work.wait", risk: .mutating) { [clock] _, _ in
            begun.yield()
            try await clock.sleep(for: .seconds(1_000_000))
            return [:]
        }
    }

    @Test("a running command is cancelled by its asker and nobody else, and every repeat hears of it")
    func cancelled() async {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let router = router([endless(continuation)])
        let request = CommandRequest(id: "1", method: "work.wait")
        async let first = router.answer(request, from: caller)
        for await _ in begun { break }
        async let second = router.answer(request, from: caller)
        let other = Caller(id: "did:key:z6MkB", name: "Bo", proof: .session, rights: ["work"])
        #expect(await router.cancel(CommandCancel(id: "1"), from: other) == false)
        var claimed = caller
        claimed.proof = .clear
        #expect(await router.cancel(CommandCancel(id: "1"), from: claimed) == false)
        #expect(await router.cancel(CommandCancel(id: "2"), from: caller) == false)
        #expect(await router.cancel(CommandCancel(id: "1"), from: caller))
        let expected = Result<JSONValue, RemoteFailure>.failure(
            RemoteFailure(code: -32002, message: "The command was cancelled.")
        )
        #expect(await first.outcome == expected)
        #expect(await second.outcome == expected)
        #expect(await router.cancel(CommandCancel(id: "1"), from: caller) == false)
        #expect(await router.answer(request, from: caller).outcome == expected)
    }

    @Test("a command that ends in spite of its cancellation is answered with what it did")
    func tooLate() async {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (gate, opener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let method = RemoteMethod("work.finish", risk: .mutating) { _, _ in
            continuation.yield()
            // Not cancellable: a task of its own.
            await Task { for await _ in gate { break } }.value
            return "done"
        }
        let router = router([method])
        async let answer = router.answer(CommandRequest(id: "1", method: "work.finish"), from: caller)
        for await _ in begun { break }
        #expect(await router.cancel(CommandCancel(id: "1"), from: caller))
        opener.yield()
        #expect(await answer.outcome == .success("done"))
    }

    @Test("an error of a method is an answer, with its sentence")
    func thrown() async {
        let method = RemoteMethod("work.fail", risk: .mutating) { _, _ in throw RemoteError.notConnected }
        let answer = await router([method]).answer(CommandRequest(id: "1", method: "work.fail"), from: caller)
        #expect(answer.outcome == .failure(RemoteFailure(code: -32603, message: "\(RemoteError.notConnected)")))
    }

    @Test("what was refused is asked again once it is allowed")
    func allowedLater() async {
        let router = router([RemoteMethod("work.do", risk: .mutating) { _, _ in "done" }])
        var untrusted = caller
        untrusted.rights = []
        let request = CommandRequest(id: "1", method: "work.do")
        guard case .failure = await router.answer(request, from: untrusted).outcome else {
            Issue.record("it was done")
            return
        }
        #expect(await router.answer(request, from: caller).outcome == .success("done"))
    }

    @Test("one asker's flood of answers makes nobody else's forgotten, and a forgotten device starts anew")
    func memories() async {
        let runs = Mutex<Int64>(0)
        let method = RemoteMethod("work.count", risk: .mutating) { _, _ in
            runs.withLock { runs in
                runs += 1
                return .integer(runs)
            }
        }
        let router = router([method])
        let other = Caller(id: "did:key:z6MkB", name: "Bo", proof: .session, rights: ["work"])
        let request = CommandRequest(id: "mine", method: "work.count")
        #expect(await router.answer(request, from: caller).outcome == .success(1))
        for index in 0..<300 {
            _ = await router.answer(CommandRequest(id: "\(index)", method: "work.count"), from: other)
        }
        #expect(await router.answer(request, from: caller).outcome == .success(1))
        await router.revoke(caller.id)
        #expect(await router.answer(request, from: caller).outcome == .success(302))
    }

    @Test("remembered answers are bounded by their number, their bytes and their age")
    func bounds() {
        var memory = AnswerMemory()
        let start = clock.now
        for index in 0..<1000 {
            memory.insert(CommandResponse(id: "\(index)", outcome: .success([:])), now: start)
            #expect(memory.count <= AnswerMemory.countLimit)
        }
        #expect(memory.response(to: "743", now: start) == nil)
        #expect(memory.response(to: "744", now: start) != nil)
        let large = JSONValue.string(String(repeating: "x", count: 600_000))
        for index in 0..<20 {
            memory.insert(CommandResponse(id: "large\(index)", outcome: .success(large)), now: start)
            #expect(memory.bytes <= AnswerMemory.byteLimit)
        }
        #expect(memory.count == 6)
        #expect(memory.response(to: "large19", now: start) != nil)
        let huge = JSONValue.array(Array(repeating: large, count: 2))
        memory.insert(CommandResponse(id: "huge", outcome: .success(huge)), now: start)
        #expect(memory.response(to: "huge", now: start) == nil)
        #expect(memory.count == 6)
        #expect(memory.response(to: "large19", now: start + .seconds(30)) != nil)
        #expect(memory.response(to: "large19", now: start + .seconds(31)) == nil)
        #expect(memory.isEmpty)
        #expect(memory.bytes == 0)
    }
}
