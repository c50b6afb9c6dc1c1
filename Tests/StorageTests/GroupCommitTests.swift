import Foundation
import GRDB
import Synchronization
import Testing

@testable import Storage

@Suite("Writes in groups", .timeLimit(.minutes(4)))
struct GroupCommitTests {
    /// Stops every group before its work until the test lets one go on.
    private struct Gate: Sendable {
        private let begun: AsyncStream<[Int]>
        private let begin: AsyncStream<[Int]>.Continuation
        private let opened: AsyncStream<Void>
        private let opener: AsyncStream<Void>.Continuation

        init() {
            (begun, begin) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
            (opened, opener) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
        }

        func perform(_ group: [Int]) async {
            begin.yield(group)
            for await _ in opened { return }
        }

        func next() async -> [Int]? { await begun.first { _ in true } }

        func open() { opener.yield() }
    }

    private func commit(_ gate: Gate, waiting: Int = 100, cost: Int = 1000) -> GroupCommit<Int> {
        GroupCommit(
            cost: { $0 },
            admits: { operation, load in load.waiting < waiting && load.cost + operation <= cost },
            perform: { await gate.perform($0) }
        )
    }

    @Test("what arrives while a group is under way goes together in the next, in order")
    func groups() async {
        let gate = Gate()
        let commit = commit(gate)
        #expect(commit.submit(1))
        #expect(await gate.next() == [1])
        for number in 2...4 { #expect(commit.submit(number)) }
        gate.open()
        #expect(await gate.next() == [2, 3, 4])
        #expect(commit.submit(5))
        gate.open()
        #expect(await gate.next() == [5])
        gate.open()
        await commit.close()
        #expect(commit.load.cost == 0)
    }

    @Test("what waits is bounded by number, and what is not done by its cost")
    func bounds() async {
        let gate = Gate()
        let commit = commit(gate, waiting: 2, cost: 100)
        #expect(commit.submit(60))
        #expect(await gate.next() == [60])
        // The first one is under way: it waits no more, and is still in memory.
        #expect(!commit.submit(41))
        #expect(commit.submit(30))
        #expect(commit.submit(10))
        #expect(!commit.submit(0))
        gate.open()
        #expect(await gate.next() == [30, 10])
        #expect(commit.load.cost == 40)
        #expect(commit.submit(60))
        gate.open()
        #expect(await gate.next() == [60])
        gate.open()
        await commit.close()
    }

    @Test("a group is bounded by number and by cost, and what costs more than all goes alone")
    func groupLimits() async {
        let gate = Gate()
        let commit = GroupCommit<Int>(
            cost: { $0 },
            admits: { _, _ in true },
            limit: GroupLimit(count: 3, cost: 10),
            perform: { await gate.perform($0) }
        )
        #expect(commit.submit(1))
        #expect(await gate.next() == [1])
        for number in [1, 2, 3, 4, 5, 6, 11, 10] { #expect(commit.submit(number)) }
        for group in [[1, 2, 3], [4, 5], [6], [11], [10]] {
            gate.open()
            #expect(await gate.next() == group)
        }
        #expect(commit.load.waiting == 0)
        #expect(commit.load.cost == 10)
        gate.open()
        await commit.close()
        #expect(commit.load.cost == 0)
    }

    @Test("closing refuses what comes and waits for what was taken")
    func closing() async {
        let gate = Gate()
        let done = Mutex<[Int]>([])
        let commit = GroupCommit<Int>(admits: { _, _ in true }) { group in
            await gate.perform(group)
            done.withLock { $0 += group }
        }
        #expect(commit.submit(1))
        #expect(await gate.next() == [1])
        #expect(commit.submit(2))
        async let closed: Void = commit.close()
        while !Task.isCancelled, commit.submit(3) { await Task.yield() }
        gate.open()
        gate.open()
        await closed
        let all = done.withLock(\.self)
        #expect(all.starts(with: [1, 2]))
        #expect(all.allSatisfy { $0 <= 3 })
        #expect(!commit.submit(4))
    }

    private static let schema: Schema = [[Migration("numbers-1", sql: "CREATE TABLE number (value INTEGER UNIQUE)")]]

    private static func insert(_ number: Int, into database: Database) throws -> Int {
        try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number])
        return number * 2
    }

    private func numbers(_ database: DatabaseQueue) async throws -> [Int] {
        try await database.read { try Int.fetchAll($0, sql: "SELECT value FROM number ORDER BY value") }
    }

    @Test("each caller gets its own outcome once it is written, and what follows a group is in its transaction")
    func outcomes() async throws {
        let database = try StateDatabase.inMemory(schema: Self.schema)
        let writer = GroupWriter(
            database,
            capacity: 100,
            apply: { try Self.insert($0, into: $1) },
            finish: { try $0.execute(sql: "DELETE FROM number WHERE value < 3") }
        )
        let outcomes = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<20 { group.addTask { (number, try await writer.write(number)) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, $0 * 2) }))
        #expect(try await numbers(database) == Array(3..<20))
    }

    @Test("a group that fails is undone, each of its callers is told, and the next one is written")
    func failure() async throws {
        let database = try StateDatabase.inMemory(schema: Self.schema)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let writer = GroupWriter<Int, Int>(database, capacity: 3) { number, database in
            if number == 0 {
                begin.yield()
                gate.wait()
            }
            return try Self.insert(number, into: database)
        }
        let first = Task { try await writer.write(0) }
        for await _ in begun { break }
        // The third one is there already, so the three share its failure.
        let group = [1, 2, 0].map { number in Task { try await writer.write(number) } }
        while !Task.isCancelled, writer.waiting < 3 { await Task.yield() }
        await #expect(throws: StorageError.busy) { try await writer.write(9) }
        gate.signal()
        gate.signal()
        #expect(try await first.value == 0)
        for write in group {
            await #expect(throws: StorageError.failed(code: 2067)) { try await write.value }
        }
        #expect(try await numbers(database) == [0])
        #expect(try await writer.write(7) == 14)
        await writer.close()
        #expect(try await numbers(database) == [0, 7])
    }

    @Test("on a database's queue groups keep their order, others write between them, and one that fails is undone")
    func onQueue() async throws {
        let database = try StateDatabase.inMemory(schema: Self.schema)
        let (outcomes, told) = AsyncStream.makeStream(of: Int?.self)
        let (groups, committed) = AsyncStream.makeStream(of: Int.self)
        let (betweens, between) = AsyncStream.makeStream(of: Int.self)
        let writer = GroupWriter<Int, Void>(
            onQueueOf: database,
            capacity: 50,
            groups: GroupLimit(count: 10),
            cost: { _ in 1 },
            commit: { numbers, database in
                for number in numbers { _ = try Self.insert(number, into: database) }
                return numbers.count
            },
            committed: { committed.yield($1) }
        )
        func submit(_ number: Int) {
            writer.submit(number) { outcome in
                if case .success = outcome { told.yield(number) } else { told.yield(nil) }
            }
        }
        let gate = DispatchSemaphore(value: 0)
        database.asyncWriteWithoutTransaction { _ in gate.wait() }
        for number in 0..<25 { submit(number) }
        database.asyncWriteWithoutTransaction { database in
            between.yield((try? Int.fetchOne(database, sql: "SELECT count(*) FROM number")) ?? -1)
        }
        gate.signal()
        await writer.close()
        submit(25)
        for end in [told.finish, committed.finish, between.finish] { end() }
        #expect(await betweens.first { _ in true } == 10)
        #expect(await groups.reduce(into: []) { $0.append($1) } == [10, 10, 5])
        #expect(await outcomes.reduce(into: []) { $0.append($1) } == Array(0..<25) + [nil])
        #expect(try await numbers(database) == Array(0..<25))

        let other = GroupWriter<Int, Void>(
            onQueueOf: database,
            capacity: 3,
            groups: GroupLimit(),
            cost: { _ in 1 },
            commit: { numbers, database in for number in numbers { _ = try Self.insert(number, into: database) } },
            committed: { _, _ in Issue.record("nothing was written") }
        )
        // Each number is there once.
        await #expect(throws: StorageError.failed(code: 2067)) { try await other.write(7) }
        await other.close()
        #expect(try await numbers(database) == Array(0..<25))
    }

    @Test(
        "writes that are handed over without waiting are written and told in their order, and without room told at once"
    )
    func handedOver() async throws {
        let database = try StateDatabase.inMemory(schema: Self.schema)
        let (outcomes, told) = AsyncStream.makeStream(of: Int.self)
        let writer = GroupWriter<Int, Int>(database, capacity: 50) { try Self.insert($0, into: $1) }
        for number in 0..<50 { writer.submit(number) { told.yield((try? $0.get()) ?? -1) } }
        await writer.close()
        let refused = Mutex(false)
        writer.submit(50) { outcome in
            if case .failure(StorageError.busy) = outcome { refused.withLock { $0 = true } }
        }
        #expect(refused.withLock { $0 })
        told.finish()
        let all = await outcomes.reduce(into: [Int]()) { $0.append($1) }
        #expect(all == (0..<50).map { $0 * 2 })
        #expect(try await numbers(database) == Array(0..<50))
    }

    @Test("a caller that was cancelled is told what became of its write")
    func cancelled() async throws {
        let database = try StateDatabase.inMemory(schema: Self.schema)
        let writer = GroupWriter<Int, Int>(database, capacity: 3) { try Self.insert($0, into: $1) }
        let write = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await writer.write(5)
        }
        #expect(try await write.value == 10)
        #expect(try await numbers(database) == [5])
    }
}
