import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Kernel

@Suite("Blocking work", .timeLimit(.minutes(1)))
struct BlockingWorkTests {
    /// Calls that block until they are released, and who is in one.
    private final class Door: Sendable {
        let begun: AsyncStream<String>
        private let reader: AsyncStream<String>.Continuation
        private let semaphore = DispatchSemaphore(value: 0)

        init() { (begun, reader) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .unbounded) }

        func pass(_ name: String) throws {
            reader.yield(name)
            struct NotReleased: Error {}
            guard semaphore.wait(timeout: .now() + 50) == .success else { throw NotReleased() }
        }

        func release(_ count: Int = 1) { for _ in 0..<count { semaphore.signal() } }
    }

    private static func run(_ work: BlockingWork, _ door: Door, _ name: String, of device: String?) -> Task<
        Void, any Error
    > {
        Task { try await WorkOwner.$device.withValue(device) { try await work.run { try door.pass(name) } } }
    }

    @Test("calls that block take no thread of the tasks, however many there are")
    func tasksGoOn() async throws {
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let work = BlockingWork("test", width: count)
        let door = Door()
        var begun = door.begun.makeAsyncIterator()
        let calls = (0..<count).map { Self.run(work, door, "\($0)", of: nil) }
        for _ in 0..<count { _ = await begun.next() }
        #expect(await Task.detached { 7 }.value == 7)
        door.release(count)
        for call in calls { try await call.value }
    }

    @Test("two calls of a device run at a time, its others wait, and another device's call does not wait for them")
    func turns() async throws {
        let work = BlockingWork("test", width: 3, deviceWidth: 2)
        let door = Door()
        var begun = door.begun.makeAsyncIterator()
        let eager = (0..<6).map { Self.run(work, door, "eager", of: "eager\($0 / 6)") }
        #expect(await begun.next() == "eager")
        #expect(await begun.next() == "eager")
        let other = Self.run(work, door, "other", of: "other")
        // The third thread was left for it, though four calls came before.
        #expect(await begun.next() == "other")
        door.release(7)
        for call in eager + [other] { try await call.value }
    }

    @Test("devices take turns")
    func roundRobin() async throws {
        let work = BlockingWork("test", width: 1)
        let (order, writer) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .unbounded)
        let door = Door()
        var begun = door.begun.makeAsyncIterator()
        let first = Self.run(work, door, "first", of: nil)
        _ = await begun.next()
        for device in ["a", "a", "a", "b", "c"] {
            work.perform(for: device) { writer.yield(device) }
        }
        door.release()
        try await first.value
        var found: [String] = []
        for await device in order {
            found.append(device)
            if found.count == 5 { break }
        }
        #expect(found == ["a", "b", "c", "a", "a"])
    }

    @Test("of a device only so many calls wait, and the owner's own are taken all the same")
    func bounds() async throws {
        let work = BlockingWork("test", width: 1, deviceWaitingLimit: 2, waitingLimit: 3)
        let door = Door()
        var begun = door.begun.makeAsyncIterator()
        let first = Self.run(work, door, "first", of: nil)
        _ = await begun.next()
        for _ in 0..<2 { work.perform(for: "phone") {} }
        await #expect(throws: BlockingWorkError.tooMuchWaits) { try await Self.run(work, door, "", of: "phone").value }
        work.perform(for: "tablet") {}
        await #expect(throws: BlockingWorkError.tooMuchWaits) { try await Self.run(work, door, "", of: "tablet").value }
        let owners = Self.run(work, door, "owner", of: nil)
        door.release(2)
        try await first.value
        try await owners.value
    }

    @Test("a call whose task is cancelled before its turn is dropped, and its task goes on at once")
    func cancelled() async throws {
        let work = BlockingWork("test", width: 1)
        let door = Door()
        var begun = door.begun.makeAsyncIterator()
        let first = Self.run(work, door, "first", of: nil)
        _ = await begun.next()
        let dropped = Self.run(work, door, "dropped", of: "phone")
        dropped.cancel()
        await #expect(throws: CancellationError.self) { try await dropped.value }
        let next = Self.run(work, door, "next", of: "phone")
        door.release(2)
        try await first.value
        #expect(await begun.next() == "next")
        try await next.value
    }

    @Test("what has to be finished is, also for a task that was cancelled")
    func finished() async throws {
        let work = BlockingWork("test", width: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await work.finish { 7 }
        }
        #expect(try await task.value == 7)
    }

    @Test("a lane does one call after the other, in order, and hands on what a call throws")
    func lane() async throws {
        struct Failure: Error {}
        let lane = BlockingLane(on: BlockingWork("test", width: 4), for: "phone")
        let order = Mutex<[Int]>([])
        for number in 0..<100 { lane.perform { order.withLock { $0.append(number) } } }
        await #expect(throws: Failure.self) { try await lane.run { throw Failure() } }
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test("bulk work is nicer than the rest of the program")
    func nice() async throws {
        #if os(Linux)
            /// The niceness of the calling thread: the 19th field of its line in /proc, the 17th behind its name.
            @Sendable func niceness() throws -> Int? {
                let line = try String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
                let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
                return fields.count > 16 ? Int(fields[16]) : nil
            }
            let usual = try #require(try await BlockingWork("test", width: 1).run { try niceness() })
            let bulk = try #require(try await BlockingWork("test", width: 1, urgency: .bulk).run { try niceness() })
            #expect(bulk >= 10 && (usual < bulk || usual >= 10))
        #endif
    }
}
