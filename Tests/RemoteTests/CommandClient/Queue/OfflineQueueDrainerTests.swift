import CommandClient
import Commands
import Foundation
import Kernel
import KernelTesting
import Logging
import Synchronization
import Testing

@Suite("Commands that wait: when they are sent", .timeLimit(.minutes(5)))
struct OfflineQueueDrainerTests {
    /// Runs a drainer beside `body`, which hears of each request.
    private func draining(
        _ queue: OfflineCommandQueue,
        _ desktop: ScriptedDesktop,
        time: any TimeSource = .system,
        _ body: (
            _ reachable: AsyncStream<Bool>.Continuation, _ asked: inout AsyncStream<CommandRequest>.Iterator
        ) async throws -> Void
    ) async throws {
        let (reachability, reachable) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(16))
        let (requests, report) = AsyncStream.makeStream(of: CommandRequest.self, bufferingPolicy: .bufferingNewest(64))
        let drainer = OfflineQueueDrainer(
            queue: queue,
            desktopID: QueueScene.desktop,
            time: time,
            logger: Logger(label: "test")
        ) { request in
            defer { report.yield(request) }
            return try desktop.invoke(request)
        }
        var asked = requests.makeAsyncIterator()
        let run = Task { await drainer.run(reachability: reachability) }
        do {
            try await body(reachable, &asked)
        } catch {
            run.cancel()
            throw error
        }
        reachable.finish()
        await run.value
    }

    @Test("commands are sent when the computer comes within reach, not before")
    func edge() async throws {
        let queue = try QueueScene().queue()
        let desktop = ScriptedDesktop()
        try await queue.enqueue(text: "a")
        try await draining(queue, desktop) { reachable, asked in
            reachable.yield(false)
            try await queue.enqueue(text: "b")
            #expect(desktop.contents == [])
            reachable.yield(true)
            #expect(await asked.next()?.params["content"] == "a")
            #expect(await asked.next()?.params["content"] == "b")
        }
    }

    @Test("what is queued while the computer is there is sent at once")
    func queuedMeanwhile() async throws {
        let queue = try QueueScene().queue()
        let desktop = ScriptedDesktop()
        try await queue.enqueue(text: "a")
        try await draining(queue, desktop) { reachable, asked in
            reachable.yield(true)
            #expect(await asked.next()?.params["content"] == "a")
            try await queue.enqueue(text: "b")
            #expect(await asked.next()?.params["content"] == "b")
        }
    }

    @Test("a command without an answer is asked for again after five seconds, while the computer is there")
    func again() async throws {
        let queue = try QueueScene().queue()
        let clock = ManualClock()
        let desktop = ScriptedDesktop([.failure(RemoteError.notConnected)])
        let id = OfflineCommand.text(of: try await queue.enqueue(text: "a").command.id)
        try await draining(queue, desktop, time: clock) { reachable, asked in
            reachable.yield(true)
            #expect(await asked.next()?.id == id)
            await clock.sleepers()
            clock.advance(by: .seconds(6))
            #expect(await asked.next()?.id == id)
        }
        #expect(desktop.requests.count == 2)
    }

    @Test("a command that is queued meanwhile does not shorten the five seconds, and goes behind the first")
    func queuedWhileResting() async throws {
        let queue = try QueueScene().queue()
        let clock = ManualClock()
        let desktop = ScriptedDesktop([.failure(RemoteError.notConnected)])
        try await queue.enqueue(text: "a")
        try await draining(queue, desktop, time: clock) { reachable, asked in
            reachable.yield(true)
            _ = await asked.next()
            await clock.sleepers()
            for text in ["b", "c"] { try await queue.enqueue(text: text) }
            for _ in 0..<1000 { await Task.yield() }
            #expect(desktop.contents == ["a"])
            clock.advance(by: .seconds(7))
            for _ in 0..<3 { _ = await asked.next() }
        }
        #expect(desktop.contents == ["a", "a", "b", "c"])
    }

    @Test("the next time within reach does not wait for the five seconds")
    func nextEdge() async throws {
        let queue = try QueueScene().queue()
        let clock = ManualClock()
        let desktop = ScriptedDesktop([.failure(RemoteError.notConnected)])
        try await queue.enqueue(text: "a")
        try await draining(queue, desktop, time: clock) { reachable, asked in
            reachable.yield(true)
            _ = await asked.next()
            await clock.sleepers()
            reachable.yield(false)
            reachable.yield(true)
            _ = await asked.next()
        }
        #expect(desktop.requests.count == 2)
    }
}
