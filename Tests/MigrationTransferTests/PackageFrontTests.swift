import Kernel
import MigrationTransfer
import Testing

@Suite("How much of a package is there for a reader", .timeLimit(.minutes(1)))
struct PackageFrontTests {
    private let work = BlockingWork("front", width: 1)

    @Test("a reader goes on as far as bytes are there, and waits for the next ones")
    func waiting() async throws {
        let front = PackageFront()
        front.advance(to: 10)
        #expect(try front.wait(beyond: 3) == 10)
        // Late news take nothing back.
        front.advance(to: 4)
        #expect(try front.wait(beyond: 9) == 10)
        let waiting = Task { [work] in try await work.run { try front.wait(beyond: 10) } }
        front.advance(to: 12)
        #expect(try await waiting.value == 12)
    }

    @Test("the end lets a reader have what is there, and wait for nothing more")
    func ending() async throws {
        let front = PackageFront()
        front.advance(to: 12)
        let waiting = Task { [work] in try await work.run { try front.wait(beyond: 12) } }
        front.end()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try front.wait(beyond: 5) == 12)
    }
}
