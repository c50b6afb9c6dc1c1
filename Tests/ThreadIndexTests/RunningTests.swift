import AgentHistory
import Conversations
import Foundation
import GRDB
import Kernel
import KernelTesting
import LinuxFolderWatch
import Logging
import Synchronization
import Testing

@testable import ThreadIndex

/// Runs an index while a test looks at it.
func running<Value: Sendable>(
    _ index: ThreadIndex,
    _ body: @escaping @Sendable (ThreadIndex) async throws -> Value
) async throws -> Value {
    try await withTimeout(.seconds(60), on: .system, throwing: TookTooLong()) {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                await index.run()
                return nil
            }
            group.addTask { try await body(index) }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }
}

struct TookTooLong: Error {}

extension ThreadIndex {
    /// Reads the changes until one is wanted.
    func change(_ changes: AsyncStream<ThreadChange>, where wanted: (ThreadChange) -> Bool) async throws -> ThreadChange
    {
        for await change in changes where wanted(change) { return change }
        throw CancellationError()
    }

    /// Reads the changes until each of these came, in any order: a look that was under way may see what the watch tells only then.
    func changes(_ changes: AsyncStream<ThreadChange>, where wanted: ((ThreadChange) -> Bool)...) async throws {
        var open = wanted
        for await change in changes {
            open.removeAll { $0(change) }
            if open.isEmpty { return }
        }
        throw CancellationError()
    }

    /// Waits until a search finds so much: the text follows the list.
    func waitForHits(_ query: String, _ count: Int) async throws {
        while !Task.isCancelled, try await search(ThreadSearch(query: query, limit: 100)).hits.count != count {
            await Task.yield()
        }
    }

    func waitUntilListed() async { for await progress in progressChanges() where progress == nil { return } }
}

@Suite("Threads: kept fresh while it runs", .timeLimit(.minutes(4))) struct ThreadRunningTests {
    private static let thread = ThreadReference(agent: .codex, id: Rollout.id(1))

    @Test("a line that is appended is told at once, before the list knows it")
    func grown() async throws {
        let home = try ThreadHome()
        let path = try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("Hello")])
        let watch = WatchDouble()
        try await running(try home.index([home.codex], watch: watch)) { index in
            await index.waitUntilListed()
            #expect(watch.asked.first?.folders.first == home.path(".codex/sessions"))
            #expect(watch.asked.first?.files == [home.path(".codex/session_index.jsonl")])
            let changes = index.changes()
            try home.append(Rollout.name(1), [Rollout.agent("needle", second: 30)])
            watch.tell(.written(path: path))
            var told = changes.makeAsyncIterator()
            #expect(await told.next() == .grown(Self.thread))
            guard case .changed(let thread)? = await told.next() else {
                Issue.record("the line of the list did not change")
                return
            }
            #expect(thread.lastMessageMilliseconds == 1_767_322_830_500)
            try await index.waitForHits("needle", 1)
        }
    }

    @Test("files that come, go and are named are told, and lost changes are looked for")
    func comesAndGoes() async throws {
        let home = try ThreadHome()
        let watch = WatchDouble()
        try await running(try home.index([home.codex], watch: watch)) { index in
            await index.waitUntilListed()
            let changes = index.changes()
            let path = try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("Hello")])
            watch.tell(.moved(path: path))
            _ = try await index.change(changes) {
                if case .changed(let thread) = $0 { thread.title == "Hello" } else { false }
            }
            try home.write(".codex/session_index.jsonl", [#"{"id":"\#(Rollout.id(1))","thread_name":"Rocket"}"#])
            watch.tell(.written(path: home.path(".codex/session_index.jsonl")))
            _ = try await index.change(changes) {
                if case .changed(let thread) = $0 { thread.title == "Rocket" } else { false }
            }
            try home.remove(Rollout.name(1))
            watch.tell(.lost)
            _ = try await index.change(changes) { $0 == .removed(Self.thread) }
        }
    }

    @Test(
        "without a watch, and with one that falls short, files are looked at every few seconds, which the log says once",
        arguments: [false, true]
    )
    func polling(hasWatch: Bool) async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("Hello")])
        let clock = ManualClock()
        let lines = Lines()
        let watch = WatchDouble()
        let index = try ThreadIndex(
            database: home.cache,
            readers: [home.codex],
            watch: hasWatch ? watch : nil,
            time: clock,
            logger: lines.logger
        )
        try await running(index) { index in
            let changes = index.changes()
            // The first look waits for nothing; the rest behind it.
            await index.waitUntilListed()
            await clock.sleeper(for: .milliseconds(230))
            clock.advance(by: .milliseconds(230))
            if hasWatch {
                watch.tell(.incomplete(reason: "a limit"))
                watch.tell(.incomplete(reason: "another"))
                await clock.sleeper(for: .seconds(5))
            }
            try home.append(Rollout.name(1), [Rollout.agent("needle", second: 30)])
            clock.advance(by: .seconds(5))
            await clock.sleeper(for: .milliseconds(20))
            clock.advance(by: .milliseconds(20))
            _ = try await index.change(changes) { $0 == .grown(Self.thread) }
            _ = try await index.change(changes) { if case .changed = $0 { true } else { false } }
        }
        #expect(lines.all.filter { $0.hasPrefix("changes of threads are looked for every few seconds") }.count == 1)
    }

    @Test("an agent that is added while the index runs is listed")
    func added() async throws {
        let home = try ThreadHome()
        try home.write(Session.name(1), [Session.line("user", "u1", after: nil, "claude")])
        try await running(try home.index([home.codex], watch: WatchDouble())) { index in
            await index.waitUntilListed()
            index.add(home.claude)
            #expect(index.progress != nil)
            await index.waitUntilListed()
            let titles = try await index.titles()
            #expect(titles == ["claude"])
        }
    }

    // MARK: The kernel's watch

    @Test("inotify: a new folder, a new file, a line, and its end")
    func inotify() async throws {
        let home = try ThreadHome()
        try await running(try home.index([home.codex], watch: LinuxFolderWatch(logger: ThreadHome.quiet))) { index in
            // Neither the agent's folder nor any above it is there yet.
            await index.waitUntilListed()
            let changes = index.changes()
            let path = try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("Hello")])
            _ = try await index.change(changes) { if case .changed = $0 { true } else { false } }
            try home.append(Rollout.name(1), [Rollout.agent("needle", second: 30)])
            try await index.changes(
                changes,
                where: { $0 == .grown(Self.thread) },
                {
                    guard case .changed(let thread) = $0 else { return false }
                    return thread.lastMessageMilliseconds == 1_767_322_830_500
                }
            )
            try home.write(".codex/session_index.jsonl", [#"{"id":"\#(Rollout.id(1))","thread_name":"Rocket"}"#])
            _ = try await index.change(changes) {
                if case .changed(let thread) = $0 { thread.title == "Rocket" } else { false }
            }
            try home.compress(Rollout.name(1))
            _ = try await index.change(changes) {
                if case .changed(let thread) = $0 { thread.path == path + ".zst" } else { false }
            }
            try home.remove(Rollout.name(1) + ".zst")
            _ = try await index.change(changes) { $0 == .removed(Self.thread) }
        }
    }

    @Test("inotify: folders that are renamed are heard of under their new path, and links are followed")
    func renamedFolder() async throws {
        let home = try ThreadHome()
        try home.write("root/a/b/one.jsonl", ["x"])
        try home.write("elsewhere/two.jsonl", ["x"])
        try FileManager.default.createSymbolicLink(
            atPath: home.path("root/link"),
            withDestinationPath: home.path("elsewhere")
        )
        try FileManager.default.createSymbolicLink(
            atPath: home.path("elsewhere/circle"),
            withDestinationPath: home.path("root")
        )
        let watch = LinuxFolderWatch(logger: ThreadHome.quiet)
        let changes = watch.changes(below: [home.path("root")], files: [])
        try await withTimeout(.seconds(60), on: .system, throwing: TookTooLong()) {
            try home.append("root/a/b/one.jsonl", ["y"])
            try await Self.wait(for: .written(path: home.path("root/a/b/one.jsonl")), in: changes)
            try home.move("root/a", to: "root/c")
            try await Self.wait(for: .moved(path: home.path("root/c")), in: changes)
            try home.append("root/c/b/one.jsonl", ["y"])
            try await Self.wait(for: .written(path: home.path("root/c/b/one.jsonl")), in: changes)
            try home.append("elsewhere/two.jsonl", ["y"])
            try await Self.wait(for: .written(path: home.path("root/link/two.jsonl")), in: changes)
            // The root itself goes and comes back.
            try home.remove("root")
            try await Self.wait(for: .moved(path: home.path("root")), in: changes)
            try home.write("root/new/three.jsonl", ["x"])
            try await Self.wait(for: .lost, in: changes)
            try home.append("root/new/three.jsonl", ["y"])
            try await Self.wait(for: .written(path: home.path("root/new/three.jsonl")), in: changes)
        }
    }

    @Test("inotify: more folders than may be watched are told as such")
    func limit() async throws {
        let home = try ThreadHome()
        for number in 0..<6 { try home.write("root/\(number)/x.jsonl", ["x"]) }
        let changes = LinuxFolderWatch(folderLimit: 4, logger: ThreadHome.quiet).changes(
            below: [home.path("root")],
            files: []
        )
        try await withTimeout(.seconds(60), on: .system, throwing: TookTooLong()) {
            try await Self.wait(for: .incomplete(reason: "there are more than 4 folders"), in: changes)
        }
    }

    @Test("inotify: more changes than are kept end in a change that says so")
    func overflow() async throws {
        let home = try ThreadHome()
        try home.write("root/x.jsonl", ["x"])
        let changes = LinuxFolderWatch(logger: ThreadHome.quiet).changes(below: [home.path("root")], files: [])
        for number in 0..<3000 { try home.write("root/\(number).jsonl", ["x"]) }
        try await withTimeout(.seconds(60), on: .system, throwing: TookTooLong()) {
            try await Self.wait(for: .lost, in: changes)
        }
    }

    private static func wait(for wanted: FolderChange, in changes: AsyncStream<FolderChange>) async throws {
        for await change in changes where change == wanted { return }
        throw CancellationError()
    }
}

/// What is logged.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }
    }
}
