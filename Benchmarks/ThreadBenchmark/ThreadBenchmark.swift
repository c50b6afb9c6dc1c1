import AgentHistory
import ArgumentParser
import BenchmarkReport
import Conversations
import Foundation
import Kernel
import LinuxFolderWatch
import Logging
import ThreadIndex

@main
struct ThreadBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thread-benchmark",
        abstract:
            "Times the index of coding agents' threads over a generated CODEX_HOME, beside ripgrep over the same files."
    )

    @Option(help: "Sessions of the generated home.") var sessions = 10_000
    @Option(help: "Size of all of them together, in MiB.") var megabytes = 2048
    @Option(help: "How often the cold index is made; medians are printed.") var rounds = 3
    @Option(help: "Size of the one large rollout, in GiB; most of it is a hole in the file.") var gigabytes = 5
    @Option(help: "Folder for everything that is made; about the megabytes and half again.") var folder: String?
    @Option(help: "CODEX_HOME of an earlier run with as many sessions, made when it is missing, and kept.")
    var home: String?
    @Option(parsing: .upToNextOption, help: "Parts: list, disk, running, large. All without it.") var only: [Part] = []

    enum Part: String, ExpressibleByArgument, CaseIterable {
        case list, disk, running, large
    }

    func validate() throws {
        guard (10...100_000).contains(sessions), (1...65_536).contains(megabytes), (1...20).contains(rounds),
            (1...1000).contains(gigabytes)
        else {
            throw ValidationError(
                "sessions is 10 to 100000, megabytes 1 to 65536, rounds 1 to 20, gigabytes 1 to 1000."
            )
        }
    }

    func run() async throws {
        let base =
            folder.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? FileManager.default.temporaryDirectory
        let root = base.appending(path: "thread-benchmark-\(UUID().uuidString.prefix(8))").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let parts = only.isEmpty ? Part.allCases : only
        let kept = self.home.map { URL(filePath: $0, directoryHint: .isDirectory).resolvingSymlinksInPath() }
        let home = GeneratedHome(root: (kept ?? root.appending(path: "codex")).path)
        if parts != [.large], !FileManager.default.fileExists(atPath: home.root) {
            note("generating \(sessions) sessions, \(megabytes) MiB")
            try home.write(sessions: sessions, bytes: megabytes << 20)
        }
        var rows: [Row] = []
        if parts.contains(.list) { rows += try await cold(home, root) }
        if parts.contains(.disk) { rows.append(try await fromDisk(home, root)) }
        if !rows.isEmpty { note(Row.table(rows)) }
        if parts.contains(.running) { rows += try await running(home, root) }
        if parts.contains(.large) { rows += try await large(root) }
        print(Row.table(rows))
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    private func index(_ home: String, _ cache: URL) throws -> ThreadIndex {
        var logger = Logger(label: "benchmark")
        logger.logLevel = .error
        return try ThreadIndex(
            database: cache,
            readers: [CodexHistory(environment: ["CODEX_HOME": home])],
            watch: LinuxFolderWatch(logger: logger),
            logger: logger
        )
    }

    /// Runs an index until `body` returns.
    private func with<Value: Sendable>(
        _ index: ThreadIndex,
        _ body: @escaping @Sendable (ThreadIndex) async throws -> Value
    ) async throws -> Value {
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

    // MARK: The list

    private func cold(_ home: GeneratedHome, _ root: URL) async throws -> [Row] {
        var (ours, rg, again) = (Sample(), Sample(), Sample())
        var peak = 0
        // Once before, so that both find the files in memory.
        let peer = try RipGrep(home.root)
        _ = try peer.seconds()
        for round in 0..<rounds {
            note("cold index, round \(round + 1)")
            rg.values.append(try peer.seconds())
            let cache = root.appending(path: "cold-\(round)")
            try Memory.forgetPeak()
            ours.values.append(try await listing(home, cache))
            // As in a process that has just started: what earlier rounds freed stays with the allocator.
            if round == 0 { peak = try Memory.peak() }
            again.values.append(try await listing(home, cache))
            try FileManager.default.removeItem(at: cache)
        }
        let ratio = ours.median / rg.median
        return [
            Row(
                "cold index of \(sessions) sessions, s; peer \(peer.name) -c .",
                ours: ours.median.fixed(2),
                peer: rg.median.fixed(2),
                ratio: ratio.fixed(2) + "x",
                goal: "<= 1.5x",
                isMet: ratio <= 1.5
            ),
            Row(
                "memory of it at most, MiB",
                ours: (Double(peak) / 1_048_576).fixed(1),
                goal: "< 64",
                isMet: peak < 64 << 20
            ),
            Row("the same again with its cache, s", ours: again.median.fixed(2)),
        ]
    }

    /// The same with nothing of the files in the system's memory.
    private func fromDisk(_ home: GeneratedHome, _ root: URL) async throws -> Row {
        let name = "cold index of \(sessions) sessions that are read from the disk, s; peer"
        var (ours, rg) = (Sample(), Sample())
        let peer = try RipGrep(home.root)
        for round in 0..<rounds {
            note("cold index from the disk, round \(round + 1)")
            guard FileCache.drop() else {
                return Row(name + ": not measured, only root may empty the system's memory of files", ours: "")
            }
            rg.values.append(try peer.seconds())
            _ = FileCache.drop()
            let cache = root.appending(path: "disk-\(round)")
            ours.values.append(try await listing(home, cache))
            try FileManager.default.removeItem(at: cache)
        }
        let ratio = ours.median / rg.median
        return Row(
            name + " \(peer.name) -c .",
            ours: ours.median.fixed(2),
            peer: rg.median.fixed(2),
            ratio: ratio.fixed(2) + "x",
            goal: "<= 1.5x",
            isMet: ratio <= 1.5
        )
    }

    /// How long an index takes until its list is whole.
    private func listing(_ home: GeneratedHome, _ cache: URL) async throws -> Double {
        let began = ContinuousClock.now
        return try await with(try index(home.root, cache)) { index in
            for await progress in index.progressChanges() where progress == nil { break }
            let total = try await index.list(ThreadQuery()).total
            guard total == self.sessions else { throw BenchmarkError("\(total) threads are listed") }
            // Closing the cache is not part of it.
            return (ContinuousClock.now - began) / .seconds(1)
        }
    }

    // MARK: What runs

    private func running(_ home: GeneratedHome, _ root: URL) async throws -> [Row] {
        let index = try index(home.root, root.appending(path: "cache"))
        return try await with(index) { index in
            for await progress in index.progressChanges() where progress == nil { break }
            self.note("full text")
            let filling = try await seconds {
                while try await index.search(ThreadSearch(query: "zzzz")).progress != nil {
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            var rows = [
                Row("full text of \(self.megabytes) MiB in the background, s", ours: filling.fixed(1)),
                Row("its rate, MiB/s of history", ours: (Double(self.megabytes) / filling).fixed(0)),
            ]
            let size =
                try FileManager.default.attributesOfItem(
                    atPath: root.appending(path: "cache/threads.sqlite").path
                )[.size] as? Int
            rows.append(Row("its cache, MiB", ours: (Double(size ?? 0) / 1_048_576).fixed(0)))
            self.note("lists and searches")
            rows += try await self.lists(index)
            rows += try await self.searches(index)
            self.note("lines that are appended")
            rows.append(try await self.appended(index, home))
            return rows
        }
    }

    private func lists(_ index: ThreadIndex) async throws -> [Row] {
        var (first, later, folder) = (Sample(), Sample(), Sample())
        var cursor: String?
        for _ in 0..<2000 {
            first.values.append(try await seconds { _ = try await index.list(ThreadQuery()) } * 1000)
            let query = ThreadQuery(limit: 200, cursor: cursor)
            later.values.append(try await seconds { cursor = try await index.list(query).next } * 1000)
            folder.values.append(
                try await seconds { _ = try await index.list(ThreadQuery(folder: GeneratedHome.folder(3))) } * 1000
            )
        }
        return [
            Row.of("list of 50, ms", first, goal: "p99 < 5", isMet: first.percentile(99) < 5),
            Row.of("list of 200 further down, ms", later, goal: "p99 < 5", isMet: later.percentile(99) < 5),
            Row.of("list of one folder, ms", folder, goal: "p99 < 5", isMet: folder.percentile(99) < 5),
        ]
    }

    private func searches(_ index: ThreadIndex) async throws -> [Row] {
        var (words, typed, folder) = (Sample(), Sample(), Sample())
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let word = GeneratedHome.word(&generator)
            let other = GeneratedHome.word(&generator)
            words.values.append(
                try await seconds { _ = try await index.search(ThreadSearch(query: "\(word) \(other) ")) } * 1000
            )
            let start = String(word.prefix(Int.random(in: 2...4, using: &generator)))
            typed.values.append(try await seconds { _ = try await index.search(ThreadSearch(query: start)) } * 1000)
            let search = ThreadSearch(query: word, folder: GeneratedHome.folder(3))
            folder.values.append(try await seconds { _ = try await index.search(search) } * 1000)
        }
        return [
            Row.of("search for two words, ms", words), Row.of("search as one types, ms", typed),
            Row.of("search in one folder, ms", folder),
        ]
    }

    private func appended(_ index: ThreadIndex, _ home: GeneratedHome) async throws -> Row {
        var sample = Sample()
        let changes = index.changes()
        var told = changes.makeAsyncIterator()
        for number in 0..<200 {
            let path = home.path(number * 7 % sessions)
            let thread = GeneratedHome.thread(number * 7 % sessions)
            let began = ContinuousClock.now
            try home.append(to: path, number)
            while let change = await told.next() { if change == .grown(thread) { break } }
            sample.values.append((ContinuousClock.now - began) / .milliseconds(1))
            // A person's agent writes a few lines a second.
            try await Task.sleep(for: .milliseconds(20))
        }
        return Row.of(
            "a line appended until it is told, ms",
            sample,
            goal: "p99 < 10",
            isMet: sample.percentile(99) < 10
        )
    }

    // MARK: One large thread

    private func large(_ root: URL) async throws -> [Row] {
        note("a rollout of \(gigabytes) GiB")
        let home = GeneratedHome(root: root.appending(path: "large").path)
        let thread = try home.writeLarge(bytes: Int64(gigabytes) << 30)
        let index = try index(home.root, root.appending(path: "large-cache"))
        let listing = try await seconds {
            guard try await index.thread(thread.id, agent: .codex) != nil else {
                throw BenchmarkError("it is not listed")
            }
        }
        var sample = Sample()
        for _ in 0..<50 {
            sample.values.append(
                try await seconds {
                    let page = try await index.lastPage(of: thread, before: nil, limits: PageLimits(items: 60))
                    guard page.items.count >= 60 else { throw BenchmarkError("\(page.items.count) items") }
                } * 1000
            )
        }
        return [
            Row("line of the list of a rollout of \(gigabytes) GiB, ms", ours: (listing * 1000).fixed(1)),
            Row.of("its last page, ms", sample, goal: "p99 < 100", isMet: sample.percentile(99) < 100),
        ]
    }
}
