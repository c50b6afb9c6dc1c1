import Accounts
import ChatHub
import Dispatch
import Foundation
import GRDB
import Storage
import Testing

@Suite("Commits of the log", .timeLimit(.minutes(2)))
struct GroupedWritesTests {
    /// Holds the writer while more comes, as a slow disk does.
    private func commits(of count: Int, words: String) async throws -> LogLoad {
        let store = try StoreKind.file.make()
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let holder = Task {
            try await store.database.write { _ in
                hold.yield()
                gate.wait()
            }
        }
        for await _ in held { break }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { try await store.log.say(words, id: "\(number)", from: 7, to: 8) }
            }
            while store.sqlite.waitingWrites < count { await Task.yield() }
            gate.signal()
            try await group.waitForAll()
        }
        try await holder.value
        #expect(try await store.log.all(7, 8, for: 8).count == count)
        return store.log.load
    }

    @Test("what comes while the disk is busy goes together in the next commit: 256 writes at most")
    func byCount() async throws {
        #expect(try await commits(of: 300, words: "hello") == LogLoad(commits: 2, writes: 300))
    }

    @Test("a group is bounded in bytes, too")
    func byBytes() async throws {
        // Each counts 50,256 bytes, of which 20 fit into a mebibyte.
        let words = String(repeating: "x", count: 50_000)
        #expect(try await commits(of: 60, words: words) == LogLoad(commits: 3, writes: 60))
    }

    @Test("a write that comes alone waits for nothing")
    func alone() async throws {
        let log = try StoreKind.memory.make().log
        for number in 0..<5 { try await log.say("\(number)", from: 7, to: 8) }
        #expect(log.load == LogLoad(commits: 5, writes: 5))
    }

    @Test("a refused write of a group leaves the others as they are")
    func refusals() async throws {
        let store = try StoreKind.memory.make()
        try await store.log.say("hello", id: "a", from: 7, to: 8)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let id = number.isMultiple(of: 2) ? "a" : "\(number)"
                    return (try? await store.log.say("other", id: id, from: 7, to: 8)) != nil
                }
            }
            return await group.reduce(into: [false: 0, true: 0]) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes == [true: 50, false: 50])
        #expect(try await store.log.all(7, 8, for: 8).map(\.seq) == Array(1...51))
    }
}
