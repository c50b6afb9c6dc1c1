import Clipboard
import CommandClient
import Commands
import Foundation
import GRDB
import Kernel
import KernelTesting
import Synchronization
import Testing

@Suite("Commands that wait: delivery", .timeLimit(.minutes(5)))
struct OfflineQueueDeliveryTests {
    private func drain(_ queue: OfflineCommandQueue, _ desktop: ScriptedDesktop) async throws -> OfflineDrainResult? {
        try await queue.drain(for: QueueScene.desktop, using: { try desktop.invoke($0) })
    }

    @Test("commands go out oldest first, to their own computer, and leave the disk")
    func inOrder() async throws {
        let scene = try QueueScene()
        let queue = try scene.queue()
        for text in ["a", "b"] { try await queue.enqueue(text: text) }
        // The clock goes back: the order is that of queueing.
        scene.clock.advance(by: .seconds(-3600))
        try await queue.enqueue(text: "c")
        try await queue.enqueue(text: "other", for: "pc-2")
        let desktop = ScriptedDesktop()
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 3, failed: 0))
        #expect(desktop.contents == ["a", "b", "c"])
        #expect(try await scene.queue().contents() == ["other"])
    }

    @Test(
        "a failure that would come again is not tried again, and the next command goes out",
        arguments: [-32601, -32602, -32600, -32008, -32010, -32006, -32011]
    )
    func permanent(code: Int) async throws {
        let scene = try QueueScene()
        let queue = try scene.queue()
        for text in ["a", "b"] { try await queue.enqueue(text: text) }
        let desktop = ScriptedDesktop([.failure(RemoteFailure(code: code, message: "It is refused."))])
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 1, failed: 1))
        #expect(try await drain(queue, desktop) == OfflineDrainResult())
        #expect(desktop.contents == ["a", "b"])
        let kept = try scene.store().all()
        #expect(kept.map(\.status) == [.failed])
        #expect(kept.map(\.errorMessage) == ["It is refused."])
    }

    @Test("what may be done twice is asked anew where the computer does not know how far it came")
    func outcomeUnknown() async throws {
        let queue = try QueueScene().queue()
        let command = try await queue.enqueue(ClipboardMethods.clearHistory.name, for: QueueScene.desktop).command
        let desktop = ScriptedDesktop([.failure(RemoteFailure(code: -32011, message: "It stopped."))])
        #expect(try await drain(queue, desktop) == OfflineDrainResult(failed: 1, isInterrupted: true))
        #expect(try await queue.commands().map(\.status) == [.pending])
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 1))
        #expect(try await queue.commands() == [])
        #expect(desktop.requests.first?.id == OfflineCommand.text(of: command.id))
        // The computer remembers the first as begun, and would answer it so again.
        #expect(Set(desktop.requests.map(\.id)).count == 2)
    }

    @Test("a failure that may pass is tried three times, each as a new request, and nothing overtakes it")
    func threeTries() async throws {
        let queue = try QueueScene().queue()
        for text in ["a", "b"] { try await queue.enqueue(text: text) }
        let busy = ScriptedDesktop.Answer.failure(RemoteFailure(code: -32005, message: "busy"))
        let desktop = ScriptedDesktop([busy, busy, busy])
        for tries in 1...2 {
            #expect(try await drain(queue, desktop) == OfflineDrainResult(failed: 1, isInterrupted: true))
            let first = try await queue.commands().first
            #expect(first?.retries == tries)
            #expect(first?.status == .pending)
            #expect(first?.errorMessage == "busy")
        }
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 1, failed: 1))
        #expect(desktop.contents == ["a", "a", "a", "b"])
        #expect(Set(desktop.requests.map(\.id)).count == 4)
        let kept = try await queue.commands()
        #expect(kept.map(\.status) == [.failed])
        #expect(kept.map(\.retries) == [3])
    }

    @Test("an answer that cannot be read is a try, and the same request")
    func unreadable() async throws {
        let queue = try QueueScene().queue()
        try await queue.enqueue(text: "a")
        let unreadable = ScriptedDesktop.Answer.failure(RemoteError.malformedResult)
        let desktop = ScriptedDesktop([unreadable, unreadable, unreadable])
        for _ in 0..<2 {
            #expect(try await drain(queue, desktop) == OfflineDrainResult(failed: 1, isInterrupted: true))
        }
        #expect(try await drain(queue, desktop) == OfflineDrainResult(failed: 1))
        #expect(Set(desktop.requests.map(\.id)).count == 1)
    }

    @Test(
        "silence is no try: the run stops, and the same request is sent the next time",
        arguments: [
            RemoteError.notConnected as any Error & CustomStringConvertible & Sendable,
            RemoteFailure(code: -32003, message: "too many"),
            RemoteError.timeout(id: "x", method: "clipboard.set", after: .seconds(30)),
            RemoteError.allTransportsFailed(lastError: "no link"), RemoteError.tooManyWaiting(limit: 256),
            RemoteError.notPaired,
        ]
    )
    func unanswered(error: any Error & CustomStringConvertible & Sendable) async throws {
        let queue = try QueueScene().queue()
        let ids = [
            try await queue.enqueue(text: "a").command.id, try await queue.enqueue(text: "b").command.id,
        ].map { OfflineCommand.text(of: $0) }
        let desktop = ScriptedDesktop((0..<4).map { _ in .failure(error) })
        for _ in 0..<4 { #expect(try await drain(queue, desktop) == OfflineDrainResult(isInterrupted: true)) }
        let waiting = try await queue.commands()
        #expect(waiting.map(\.status) == [.pending, .pending])
        #expect(waiting.map(\.retries) == [0, 0])
        #expect(waiting.map(\.errorMessage) == ["\(error)", nil])
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 2))
        #expect(desktop.requests.map(\.id) == Array(repeating: ids[0], count: 5) + [ids[1]])
    }

    @Test("a command that waited too long is not sent, and the person sees it; tried again it has its time again")
    func expiry() async throws {
        let scene = try QueueScene()
        let queue = try scene.queue()
        var events = queue.events().makeAsyncIterator()
        let command = try await queue.enqueue(text: "a").command
        scene.clock.advance(by: .seconds(7 * 24 * 3600 - 1))
        try await queue.enqueue(text: "b")
        #expect(try await queue.commands().map(\.status) == [.pending, .pending])
        scene.clock.advance(by: .seconds(1))
        let desktop = ScriptedDesktop()
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 1))
        #expect(desktop.contents == ["b"])
        let expired = try #require(try await queue.commands().first)
        #expect(expired.status == .failed)
        #expect(
            expired.errorMessage
                == "The computer did not confirm clipboard.set in time. Check there, then retry it or remove it."
        )
        var failed: OfflineCommand?
        while failed == nil, let event = await events.next() {
            if case .failed(let command) = event { failed = command }
        }
        #expect(failed == expired)
        let retried = try await queue.retry(command.id)
        #expect(retried.status == .pending)
        #expect(retried.expiresAtMilliseconds == scene.clock.date.millisecondsSince1970 + 7 * 24 * 3600 * 1000)
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 1))
        // Nobody knows that it was not done, so it is the same request.
        #expect(desktop.requests.last?.id == OfflineCommand.text(of: command.id))
    }

    @Test("what the person tries again after a refusal is a new request")
    func retriedByThePerson() async throws {
        let queue = try QueueScene().queue()
        let command = try await queue.enqueue(text: "a").command
        let desktop = ScriptedDesktop([.failure(RemoteFailure(code: -32010, message: "not allowed"))])
        #expect(try await drain(queue, desktop) == OfflineDrainResult(failed: 1))
        let retried = try await queue.retry(command.id)
        #expect(retried.retries == 0)
        #expect(retried.errorMessage == nil)
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 1))
        #expect(desktop.requests.map(\.id).first == OfflineCommand.text(of: command.id))
        #expect(desktop.requests.map(\.id).last == OfflineCommand.text(of: retried.requestID))
        #expect(retried.requestID != command.id)
    }

    /// A desktop that answers when it is told to.
    private struct HeldDesktop {
        let asked: AsyncStream<CommandRequest>
        let release: AsyncStream<Void>.Continuation
        let invoke: OfflineCommandQueue.Invoke

        init() {
            let (asked, report) = AsyncStream.makeStream(of: CommandRequest.self, bufferingPolicy: .bufferingNewest(64))
            let (released, release) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(64))
            self.asked = asked
            self.release = release
            invoke = { request in
                report.yield(request)
                for await _ in released { return [:] }
                throw CancellationError()
            }
        }
    }

    @Test("one run at a time for a computer; it takes what is queued meanwhile, and other computers do not wait")
    func singleFlight() async throws {
        let queue = try QueueScene().queue()
        let held = HeldDesktop()
        var asked = held.asked.makeAsyncIterator()
        try await queue.enqueue(text: "a")
        async let first = queue.drain(for: QueueScene.desktop, using: held.invoke)
        #expect(await asked.next()?.params["content"] == "a")
        #expect(try await queue.commands().map(\.status) == [.sending])
        try await queue.enqueue(text: "b")
        try await queue.enqueue(text: "c", for: "pc-2")
        #expect(try await queue.drain(for: QueueScene.desktop, using: held.invoke) == nil)
        let other = ScriptedDesktop()
        #expect(
            try await queue.drain(for: "pc-2", using: { try other.invoke($0) }) == OfflineDrainResult(succeeded: 1)
        )
        held.release.yield()
        #expect(await asked.next()?.params["content"] == "b")
        held.release.yield()
        #expect(try await first == OfflineDrainResult(succeeded: 2))
        #expect(other.contents == ["c"])
    }

    @Test("a run that is cancelled leaves its command pending under the same id")
    func cancelled() async throws {
        let scene = try QueueScene()
        let queue = try scene.queue()
        let held = HeldDesktop()
        var asked = held.asked.makeAsyncIterator()
        let id = try await queue.enqueue(text: "a").command.id
        let run = Task { try await queue.drain(for: QueueScene.desktop, using: held.invoke) }
        _ = await asked.next()
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        let waiting = try await queue.commands()
        #expect(waiting.map(\.status) == [.pending])
        #expect(waiting.map(\.requestID) == [id])
        let desktop = ScriptedDesktop()
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 1))
    }

    @Test("a command that is removed while it is sent is gone, whatever the answer")
    func removedMeanwhile() async throws {
        let queue = try QueueScene().queue()
        let id = try await queue.enqueue(text: "a").command.id
        try await queue.enqueue(text: "b")
        let seen = Mutex<[String]>([])
        let result = try await queue.drain(for: QueueScene.desktop) { request in
            let text = request.params["content"]?.stringValue ?? ""
            seen.withLock { $0.append(text) }
            guard text == "a" else { return [:] }
            try await queue.remove(id)
            throw RemoteError.notConnected
        }
        #expect(result == OfflineDrainResult(succeeded: 1))
        #expect(seen.withLock { $0 } == ["a", "b"])
        #expect(try await queue.commands() == [])
    }

    @Test("a delivered command is announced with its result")
    func announced() async throws {
        let queue = try QueueScene().queue()
        var events = queue.events().makeAsyncIterator()
        let command = try await queue.enqueue(text: "a").command
        let desktop = ScriptedDesktop([.success(["ok": true])])
        _ = try await drain(queue, desktop)
        #expect(await events.next() == .queued(command))
        var sending = command
        sending.status = .sending
        #expect(await events.next() == .delivered(sending, result: ["ok": true]))
    }

    @Test("parameters that something damaged fail, and hold up nothing")
    func damagedParameters() async throws {
        let scene = try QueueScene()
        do {
            let queue = try scene.queue()
            for text in ["a", "b"] { try await queue.enqueue(text: text) }
            try await scene.database().write { database in
                try database.execute(sql: "UPDATE offlineCommand SET paramsJson = '{' WHERE position = 1")
            }
        }
        let queue = try scene.queue()
        let desktop = ScriptedDesktop()
        #expect(try await drain(queue, desktop) == OfflineDrainResult(succeeded: 1, failed: 1))
        #expect(desktop.contents == ["b"])
        #expect(
            try await queue.commands().map(\.errorMessage)
                == ["The call was not sent: the parameters that were kept for clipboard.set are damaged."]
        )
    }
}
