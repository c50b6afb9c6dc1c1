import Synchronization
import Testing

@testable import Push

@Suite("Messages under way", .timeLimit(.minutes(1)))
struct PushPlacesTests {
    private func origin(_ name: String) throws -> PushOrigin { try PushOrigin("https://\(name).example.net") }

    private func limits(perOrigin: Int, total: Int, waiting: Int) -> WebPushConfiguration.Limits {
        var limits = WebPushConfiguration.Limits()
        (limits.perOrigin, limits.total, limits.waiting) = (perOrigin, total, waiting)
        return limits
    }

    @Test("one push service has four places, all have sixteen, and who would wait behind too many is told so")
    func bounds() async throws {
        var ordinary = WebPushConfiguration.Limits()
        ordinary.waiting = 0
        let places = PushPlaces(ordinary)
        for name in ["a", "b", "c", "d"] {
            for _ in 0..<4 { try await places.enter(origin(name)) }
            await #expect(throws: PushError.tooManyWaiting) { try await places.enter(origin(name)) }
        }
        await #expect(throws: PushError.tooManyWaiting) { try await places.enter(origin("e")) }
        places.leave(try origin("a"))
        await #expect(throws: PushError.tooManyWaiting) { try await places.enter(origin("b")) }
        try await places.enter(origin("e"))
    }

    @Test("all who wait come in, and never more at a time than there are places")
    func everyone() async throws {
        let places = PushPlaces(limits(perOrigin: 2, total: 3, waiting: 1000))
        let origins = [try origin("a"), try origin("b")]
        let underWay = UnderWay()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let origin = origins[number % 2]
                group.addTask {
                    try await places.enter(origin)
                    underWay.change(origin, by: 1)
                    await Task.yield()
                    underWay.change(origin, by: -1)
                    places.leave(origin)
                }
            }
            try await group.waitForAll()
        }
        #expect(underWay.most <= 3 && underWay.mostOfOne <= 2)
    }

    @Test("a caller that gives up while it waits takes no place")
    func cancelled() async throws {
        let places = PushPlaces(limits(perOrigin: 1, total: 1, waiting: 1))
        let origin = try origin("a")
        try await places.enter(origin)
        for _ in 0..<20 {
            let waiting = Task { try await places.enter(origin) }
            await Task.yield()
            waiting.cancel()
            await #expect(throws: PushError.cancelled) { try await waiting.value }
        }
        places.leave(origin)
        try await places.enter(origin)
    }

    @Test("the system's resolver finds this machine")
    func resolver() async throws {
        let found = try await SystemResolver().addresses(of: "localhost")
        #expect(!found.isEmpty && found.allSatisfy { ["127.0.0.1", "::1"].contains($0) })
    }
}

/// Counts what is under way, and the most there ever was.
private final class UnderWay: Sendable {
    private let state = Mutex((running: [PushOrigin: Int](), most: 0, mostOfOne: 0))

    var most: Int { state.withLock { $0.most } }
    var mostOfOne: Int { state.withLock { $0.mostOfOne } }

    func change(_ origin: PushOrigin, by step: Int) {
        state.withLock { state in
            state.running[origin, default: 0] += step
            state.most = max(state.most, state.running.values.reduce(0, +))
            state.mostOfOne = max(state.mostOfOne, state.running[origin, default: 0])
        }
    }
}
