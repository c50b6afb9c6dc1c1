import CommandClient
import Commands
import Foundation
import GRDB
import Kernel
import KernelTesting
import Testing

@Suite("Commands that wait: what is kept", .timeLimit(.minutes(5)))
struct OfflineQueueTests {
    @Test("a queued command is on disk with everything it was given")
    func kept() async throws {
        let scene = try QueueScene()
        let id = UUID()
        let queued = try await scene.queue().enqueue(
            "clipboard.set",
            ["content": "é"],
            for: "pc-1",
            mobileDID: "did:key:z6MkA",
            id: id
        )
        let now = scene.clock.date.millisecondsSince1970
        let expected = OfflineCommand(
            id: id,
            requestID: id,
            desktopID: "pc-1",
            method: "clipboard.set",
            paramsJSON: #"{"content":"é"}"#,
            mobileDID: "did:key:z6MkA",
            timestampMilliseconds: now,
            status: .pending,
            retries: 0,
            errorMessage: nil,
            expiresAtMilliseconds: now + 7 * 24 * 3600 * 1000
        )
        #expect(queued.command == expected)
        #expect(queued.evicted == nil)
        #expect(try scene.store().all() == [expected])
    }

    @Test("the request has the entry's id and asks for an answer that lasts")
    func request() async throws {
        let scene = try QueueScene()
        let command = try await scene.queue().enqueue(text: "a").command
        let request = try command.request()
        #expect(request.id == command.id.uuidString.lowercased())
        #expect(
            request
                == CommandRequest(
                    id: request.id,
                    method: "clipboard.set",
                    params: ["type": "text", "content": "a"],
                    isDurable: true
                )
        )
    }

    @Test("a full queue gives up its oldest pending command, and says which")
    func evictsPending() async throws {
        let scene = try QueueScene()
        let queue = try scene.queue()
        var events = queue.events().makeAsyncIterator()
        let failing = ScriptedDesktop([.failure(RemoteFailure(code: -32602, message: "no"))])
        let failed = try await queue.enqueue(text: "failed").command
        _ = try await queue.drain(for: QueueScene.desktop, using: { try failing.invoke($0) })
        for number in 1..<100 { #expect(try await queue.enqueue(text: "\(number)").evicted == nil) }
        #expect(try await queue.commands().count == 100)
        let evicted = try await queue.enqueue(text: "new").evicted
        #expect(try evicted?.request().params["content"] == "1")
        #expect(try await queue.contents() == ["failed"] + (2..<100).map { "\($0)" } + ["new"])
        #expect(try await queue.commands().first?.id == failed.id)
        #expect(try scene.store().all().count == 100)
        var seen: OfflineQueueEvent?
        while let event = await events.next() {
            if case .evicted = event {
                seen = event
                break
            }
        }
        #expect(seen == evicted.map { .evicted($0) })
    }

    @Test("a queue full of failed commands gives up the oldest of them")
    func evictsFailed() async throws {
        let scene = try QueueScene()
        let queue = try scene.queue()
        let desktop = ScriptedDesktop((0..<100).map { _ in .failure(RemoteFailure(code: -32601, message: "no")) })
        for number in 0..<100 { try await queue.enqueue(text: "\(number)") }
        #expect(
            try await queue.drain(for: QueueScene.desktop, using: { try desktop.invoke($0) })
                == OfflineDrainResult(succeeded: 0, failed: 100)
        )
        #expect(try await queue.enqueue(text: "new").evicted?.request().params["content"] == "0")
        #expect(try await queue.commands().map(\.status) == Array(repeating: .failed, count: 99) + [.pending])
    }

    @Test("the same id again is the same command")
    func sameID() async throws {
        let queue = try QueueScene().queue()
        let id = UUID()
        for _ in 0..<2 { _ = try await queue.enqueue("system.notify", ["title": "a"], for: "pc-1", id: id) }
        #expect(try await queue.commands().map(\.id) == [id])
    }

    /// Joins the texts of two with a plus.
    private func joining(passing: Set<String> = []) -> OfflineCommandQueue.Joining {
        OfflineCommandQueue.Joining(passing: passing) { waiting in
            ["content": .string((waiting["content"]?.stringValue ?? "") + "+")]
        }
    }

    @Test("a command that joins one that waits is part of that one, under its id and as a new request")
    func joined() async throws {
        let scene = try QueueScene()
        let queue = try scene.queue()
        let first = try await queue.enqueue("clipboard.set", ["content": "a"], for: "pc-1").command
        _ = try await queue.enqueue("clipboard.set", ["content": "b"], for: "pc-2")
        scene.clock.advance(by: .seconds(60))
        var events = queue.events().makeAsyncIterator()
        let joined = try await queue.enqueue("clipboard.set", ["content": "c"], for: "pc-1", joining: joining()).command
        #expect(joined.id == first.id)
        #expect(joined.requestID != first.requestID)
        #expect(joined.paramsJSON == #"{"content":"a+"}"#)
        #expect(joined.timestampMilliseconds == first.timestampMilliseconds)
        #expect(joined.expiresAtMilliseconds == first.expiresAtMilliseconds + 60_000)
        // What sends them hears of it.
        #expect(await events.next() == .queued(joined))
        #expect(try await queue.contents() == ["a+", "b"])
        #expect(try scene.store().all().map(\.paramsJSON) == [#"{"content":"a+"}"#, #"{"content":"b"}"#])
    }

    @Test("a command joins none that another one waits behind, unless it may pass that one")
    func passing() async throws {
        let queue = try QueueScene().queue()
        _ = try await queue.enqueue("clipboard.set", ["content": "a"], for: "pc-1")
        _ = try await queue.enqueue("system.notify", ["content": "b"], for: "pc-1")
        let passed = joining(passing: ["system.notify"])
        _ = try await queue.enqueue("clipboard.set", ["content": "c"], for: "pc-1", joining: passed)
        #expect(try await queue.contents() == ["a+", "b"])
        _ = try await queue.enqueue("clipboard.set", ["content": "d"], for: "pc-1", joining: joining())
        #expect(try await queue.contents() == ["a+", "b", "d"])
    }

    @Test("a command joins none that is on its way, failed, or does not fit with it")
    func notJoined() async throws {
        let queue = try QueueScene().queue()
        let joining = joining()
        try await queue.enqueue(text: "a")
        let failing = ScriptedDesktop([.failure(RemoteFailure(code: -32602, message: "no"))])
        _ = try await queue.drain(for: QueueScene.desktop, using: { try failing.invoke($0) })
        let params: JSONValue = ["type": "text", "content": "b"]
        _ = try await queue.enqueue("clipboard.set", params, for: QueueScene.desktop, joining: joining)
        #expect(try await queue.contents() == ["a", "b"])
        let desktop = ScriptedDesktop()
        _ = try await queue.drain(for: QueueScene.desktop) { request in
            let answer = try desktop.invoke(request)
            guard desktop.requests.count == 1 else { return answer }
            let params: JSONValue = ["type": "text", "content": "c"]
            _ = try await queue.enqueue("clipboard.set", params, for: QueueScene.desktop, joining: joining)
            return answer
        }
        #expect(desktop.contents == ["b", "c"])
        try await queue.enqueue(text: "d")
        let large = String(repeating: "x", count: OfflineCommand.paramsLimit)
        for unfit in [nil, large] {
            _ = try await queue.enqueue(
                "clipboard.set",
                ["type": "text", "content": "e"],
                for: QueueScene.desktop,
                joining: OfflineCommandQueue.Joining(passing: []) { _ in unfit.map { ["content": .string($0)] } }
            )
        }
        #expect(try await queue.contents() == ["a", "d", "e", "e"])
    }

    @Test(
        "what reads, or belongs to a moment, does not wait",
        arguments: [
            "clipboard.get", "file.readFile", "file.listDirectory", "terminal.create", "terminal.stdin", "system.ping",
            "display.screenshot", "file.requestUpload", "nothing.known",
        ]
    )
    func notQueueable(method: String) async throws {
        let queue = try QueueScene().queue()
        await #expect(throws: OfflineQueueError.notQueueable(method: method)) {
            try await queue.enqueue(method, for: "pc-1")
        }
        #expect(try await queue.commands() == [])
    }

    @Test("what would never be accepted is refused before it waits")
    func badArguments() async throws {
        let queue = try QueueScene().queue()
        let refusal = RemoteFailure.badParameter("content", "a text of at most 512 KiB")
        let error = try await #require(throws: RemoteError.invalidArgument("\(refusal)")) {
            try await queue.enqueue("clipboard.set", ["type": "text"], for: "pc-1")
        }
        #expect(
            "\(error)" == "The call was not sent: The parameter content must be a text of at most 512 KiB."
        )
        await #expect(throws: RemoteError.invalidArgument("the parameters of system.notify must be an object")) {
            try await queue.enqueue("system.notify", [1], for: "pc-1")
        }
        // {"content":"…","type":"text"} around the text is 28 bytes.
        await #expect(throws: OfflineQueueError.tooLarge(bytes: 262_145, limit: 262_144)) {
            try await queue.enqueue(text: String(repeating: "x", count: 262_144 - 27))
        }
        #expect(try await queue.enqueue(text: String(repeating: "x", count: 262_144 - 28)).evicted == nil)
    }

    @Test("what was on its way when the phone stopped is pending again, under the same id")
    func reopened() async throws {
        let scene = try QueueScene()
        do {
            let store = try scene.store()
            let queue = try scene.queue(store)
            let id = try await queue.enqueue(text: "a").command.id
            try await store.update(id) { $0.status = .sending }
        }
        let before = try await scene.database().read { database in
            try String.fetchAll(database, sql: "SELECT id FROM offlineCommand WHERE status = 'sending'")
        }
        let commands = try scene.store().all()
        #expect(commands.map(\.status) == [.pending])
        #expect(commands.map { OfflineCommand.text(of: $0.requestID) } == before)
    }

    @Test("a row that something damaged is left out, and only that one")
    func damaged() async throws {
        let scene = try QueueScene()
        do {
            let queue = try scene.queue()
            for text in ["a", "b", "c"] { try await queue.enqueue(text: text) }
            try await scene.database().write { database in
                try database.execute(sql: "UPDATE offlineCommand SET status = 'lost' WHERE position = 2")
            }
        }
        #expect(try await scene.queue().contents() == ["a", "c"])
    }

    @Test("the person can remove one command, clear one computer's, or all")
    func removing() async throws {
        let scene = try QueueScene()
        let queue = try scene.queue()
        let first = try await queue.enqueue(text: "a").command
        for text in ["b", "c"] { try await queue.enqueue(text: text) }
        try await queue.enqueue(text: "d", for: "pc-2")
        #expect(try await queue.remove(first.id).id == first.id)
        await #expect(throws: OfflineQueueError.unknownCommand(first.id)) { try await queue.remove(first.id) }
        await #expect(throws: OfflineQueueError.unknownCommand(first.id)) { try await queue.retry(first.id) }
        #expect(try await queue.clear(for: "pc-1") == 2)
        #expect(try scene.store().all().map(\.desktopID) == ["pc-2"])
        #expect(try await queue.clear() == 1)
        #expect(try scene.store().all() == [])
    }

    @Test("a reader of the list gets it as it is and after each change")
    func list() async throws {
        let queue = try QueueScene().queue()
        var lists = queue.list().makeAsyncIterator()
        #expect(await lists.next() == [])
        let command = try await queue.enqueue(text: "a").command
        #expect(await lists.next() == [command])
        try await queue.remove(command.id)
        #expect(await lists.next() == [])
    }

    @Test("a summary says everything, of long parameters only the beginning")
    func summary() async throws {
        let scene = try QueueScene()
        let long = try await scene.queue().enqueue(text: String(repeating: "a", count: 200)).command
        let beginning = #"{"content":""# + String(repeating: "a", count: 108) + "…"
        #expect(long.summary.parameters == beginning)
        let command = try await scene.queue().enqueue(text: "short").command
        #expect(
            try JSONValue(encoding: command.summary) == [
                "id": .string(OfflineCommand.text(of: command.id)), "desktopId": "pc-1", "method": "clipboard.set",
                "timestamp": .integer(command.timestampMilliseconds), "status": "pending", "retries": 0,
                "errorMessage": .null, "expiresAt": .integer(command.expiresAtMilliseconds),
                "parameters": .string(command.paramsJSON),
            ]
        )
    }
}
