import Clipboard
import CommandClient
import CommandServer
import Commands
import Foundation
import Kernel
import KernelTesting
import Logging
import Rights
import Storage
import Synchronization
import Testing

/// Both halves of ours: the phone's queue and the desktop's router, which keeps durable answers on disk.
@Suite("Commands that wait: the desktop's router", .timeLimit(.minutes(5)))
struct OfflineQueueRouterTests {
    private struct Lost: Error {}

    private let caller = Caller(id: "did:key:z6MkA", name: "Ada", proof: .session, rights: ["clipboard"])

    @Test("answers are lost and the desktop starts again: each command is done once, in order")
    func restarts() async throws {
        let scene = try QueueScene()
        let database = try StateDatabase.open(
            scene.folder.appending(path: "desktop.sqlite"),
            schema: [SQLiteAnswerStore.migrations]
        )
        let done = Mutex<[String]>([])
        let method = RemoteMethod("clipboard.set", risk: .mutating) { params, _ in
            let text = try params.text("content")
            return .integer(
                Int64(
                    done.withLock {
                        $0.append(text)
                        return $0.count
                    }
                )
            )
        }
        let router: @Sendable () throws -> CommandRouter = {
            CommandRouter(
                methods: [method],
                logger: Logger(label: "test"),
                answers: SQLiteAnswerStore(database)
            )
        }
        let texts = ["a", "b", "c"]
        for text in texts { try await scene.queue().enqueue(text: text) }
        let lost = Mutex<Set<String>>([])
        var runs = 0
        while try !scene.store().all().isEmpty {
            runs += 1
            let desktop = try router()
            // Each run is a new process of the phone, too.
            _ = try await scene.queue().drain(for: QueueScene.desktop) { [caller] request in
                let response = await desktop.answer(request, from: caller)
                guard !lost.withLock({ $0.insert(request.id).inserted }) else { throw Lost() }
                return try response.outcome.get()
            }
        }
        #expect(runs == 4)
        #expect(done.withLock { $0 } == texts)
    }

    @Test("a desktop that stopped in the middle does not do it again, and the person is told to look there")
    func stoppedInTheMiddle() async throws {
        let scene = try QueueScene()
        let store = SQLiteAnswerStore(
            try StateDatabase.open(
                scene.folder.appending(path: "desktop.sqlite"),
                schema: [SQLiteAnswerStore.migrations]
            )
        )
        let queue = try scene.queue()
        let command = try await queue.enqueue(text: "a").command
        let begun = try await store.begin(
            OfflineCommand.text(of: command.requestID),
            of: "clipboard.set",
            from: caller.id,
            now: Date()
        )
        #expect(begun == nil)
        let runs = Mutex(0)
        let method = RemoteMethod("clipboard.set", risk: .mutating) { _, _ in
            runs.withLock { $0 += 1 }
            return [:]
        }
        let desktop = CommandRouter(methods: [method], logger: Logger(label: "test"), answers: store)
        let invoke: OfflineCommandQueue.Invoke = { [caller] in
            try await desktop.answer($0, from: caller).outcome.get()
        }
        #expect(try await queue.drain(for: QueueScene.desktop, using: invoke) == OfflineDrainResult(failed: 1))
        #expect(runs.withLock { $0 } == 0)
        #expect(try await queue.commands().map(\.status) == [.failed])
        // Looked, and asked again: that is another request.
        try await queue.retry(command.id)
        #expect(try await queue.drain(for: QueueScene.desktop, using: invoke) == OfflineDrainResult(succeeded: 1))
        #expect(runs.withLock { $0 } == 1)
    }

    @Test("a desktop that stopped in the middle of what may be done twice does it to its end, under the same request")
    func stoppedInTheMiddleOfWhatMayBeDoneTwice() async throws {
        let scene = try QueueScene()
        let store = SQLiteAnswerStore(
            try StateDatabase.open(
                scene.folder.appending(path: "desktop.sqlite"),
                schema: [SQLiteAnswerStore.migrations]
            )
        )
        let queue = try scene.queue()
        let forget = ClipboardMethods.clearHistory.declaration
        let command = try await queue.enqueue(forget.name, for: QueueScene.desktop).command
        let request = OfflineCommand.text(of: command.requestID)
        #expect(try await store.begin(request, of: forget.name, from: caller.id, now: Date()) == nil)
        let runs = Mutex(0)
        let method = RemoteMethod(forget) { _, _ in
            runs.withLock { $0 += 1 }
            return [:]
        }
        let desktop = CommandRouter(methods: [method], logger: Logger(label: "test"), answers: store)
        let asked = Mutex<[String]>([])
        let result = try await queue.drain(for: QueueScene.desktop) { [caller] request in
            asked.withLock { $0.append(request.id) }
            return try await desktop.answer(request, from: caller).outcome.get()
        }
        #expect(result == OfflineDrainResult(succeeded: 1))
        #expect(runs.withLock { $0 } == 1)
        #expect(asked.withLock { $0 } == [request])
        #expect(try await queue.commands() == [])
        // From now on there is an answer.
        let again = CommandRouter(methods: [method], logger: Logger(label: "test"), answers: store)
        _ = try await again.answer(try command.request(), from: caller).outcome.get()
        #expect(runs.withLock { $0 } == 1)
    }
}
