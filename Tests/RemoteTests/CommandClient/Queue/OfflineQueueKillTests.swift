import CommandClient
import Commands
import Foundation
import GRDB
import Kernel
import KernelTesting
import Storage
import Synchronization
import Testing

/// The phone's process, up to a step drawn at random: after it nothing works any more.
private final class DoomedProcess: Sendable {
    struct Killed: Error {}

    private let stepsLeft: Mutex<Int>

    init(steps: Int) { stepsLeft = Mutex(steps) }

    func step() throws {
        let isAlive = stepsLeft.withLock { steps in
            steps -= 1
            return steps > 0
        }
        guard isAlive else { throw Killed() }
    }
}

/// A store whose process may end before each change, or after it and before anybody learns of it.
private struct DoomedStore: OfflineCommandStore {
    let store: SQLiteOfflineCommandStore
    let process: DoomedProcess

    private func change<Value>(_ work: () async throws -> Value) async throws -> Value {
        try process.step()
        let value = try await work()
        try process.step()
        return value
    }

    func all() async throws -> [OfflineCommand] { store.all() }

    func add(_ command: OfflineCommand, capacity: Int) async throws -> OfflineCommand? {
        try await change { try await store.add(command, capacity: capacity) }
    }

    func update(
        _ id: UUID,
        _ change: @escaping @Sendable (inout OfflineCommand) -> Void
    ) async throws -> OfflineCommand? {
        try await self.change { try await store.update(id, change) }
    }

    func remove(_ id: UUID) async throws -> OfflineCommand? {
        try await change { try await store.remove(id) }
    }

    func removeAll(for desktopID: String?) async throws -> Int {
        try await change { try await store.removeAll(for: desktopID) }
    }

    func list() -> AsyncStream<[OfflineCommand]> { store.list() }
}

/// A desktop that writes what it did and what it answered in one step, and answers a repeat from there.
private struct DurableDesktop {
    private let database: DatabaseQueue

    init(_ url: URL) throws {
        database = try DatabaseQueue(path: url.path)
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS done (position INTEGER PRIMARY KEY, number INTEGER NOT NULL);
                    CREATE TABLE IF NOT EXISTS answer (id TEXT PRIMARY KEY, code INTEGER);
                    """
            )
        }
    }

    var done: [Int] {
        get throws { try database.read { try Int.fetchAll($0, sql: "SELECT number FROM done ORDER BY position") } }
    }

    /// - Parameter isBusy: Refuse a request that is new.
    func answer(_ request: CommandRequest, isBusy: Bool) async throws -> JSONValue {
        let code: Int? = try await database.write { database in
            let known = try Row.fetchOne(database, sql: "SELECT code FROM answer WHERE id = ?", arguments: [request.id])
            if let known { return known["code"] }
            if !isBusy {
                let number = request.params["title"]?.integerValue ?? -1
                try database.execute(sql: "INSERT INTO done (number) VALUES (?)", arguments: [number])
            }
            let code = isBusy ? -32005 : nil
            try database.execute(sql: "INSERT INTO answer VALUES (?, ?)", arguments: [request.id, code])
            return code
        }
        guard let code else { return [:] }
        throw RemoteFailure(code: code, message: "busy")
    }
}

@Suite("Commands that wait: killed anywhere", .timeLimit(.minutes(5)))
struct OfflineQueueKillTests {
    /// What goes wrong in one run, drawn from its seed.
    private final class Fate: Sendable {
        private let generator: Mutex<SeededGenerator>
        /// A command that was refused twice is done the third time.
        private let refusals = Mutex<[JSONValue: Int]>([:])

        init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

        func chance(_ probability: Double) -> Bool { generator.withLock { $0.chance(probability) } }
        func number(_ range: ClosedRange<Int>) -> Int { generator.withLock { Int.random(in: range, using: &$0) } }

        func isBusy(for params: JSONValue) -> Bool {
            guard chance(0.15) else { return false }
            return refusals.withLock { refusals in
                guard refusals[params, default: 0] < 2 else { return false }
                refusals[params, default: 0] += 1
                return true
            }
        }
    }

    @Test("killed at any step on either side, every command is done once and in order", arguments: 0..<200)
    func killed(seed: Int) async throws {
        let scene = try QueueScene()
        let fate = Fate(seed: UInt64(seed))
        let ids = (0..<6).map { _ in UUID() }
        let desktopFile = scene.folder.appending(path: "desktop.sqlite")
        var queued = 0
        var lives = 0
        var isDone = false
        while !isDone {
            lives += 1
            // The last lives are long enough for everything: the run ends.
            let process = DoomedProcess(steps: lives < 12 ? fate.number(1...30) : 1000)
            let queue = try scene.queue(DoomedStore(store: scene.store(), process: process))
            let desktop = try DurableDesktop(desktopFile)
            let invoke: OfflineCommandQueue.Invoke = { request in
                try process.step()
                if fate.chance(0.1) { throw RemoteError.notConnected }
                let answer: Result<JSONValue, any Error>
                do {
                    answer = .success(try await desktop.answer(request, isBusy: fate.isBusy(for: request.params)))
                } catch {
                    answer = .failure(error)
                }
                try process.step()
                if fate.chance(0.1) {
                    throw RemoteError.timeout(id: request.id, method: request.method, after: .seconds(30))
                }
                return try answer.get()
            }
            do {
                while queued < ids.count {
                    // Not known to have been queued: queued again under its id, before any later one.
                    let params: JSONValue = ["title": .integer(Int64(queued))]
                    _ = try await queue.enqueue("system.notify", params, for: "pc-1", id: ids[queued])
                    queued += 1
                    if fate.chance(0.4) { _ = try await queue.drain(for: "pc-1", using: invoke) }
                }
                while try await queue.drain(for: "pc-1", using: invoke)?.isInterrupted == true {}
                isDone = true
            } catch is DoomedProcess.Killed {
                continue
            }
        }
        #expect(try DurableDesktop(desktopFile).done == Array(0..<6))
        #expect(try scene.store().all() == [])
    }
}
