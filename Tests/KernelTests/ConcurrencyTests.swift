import Kernel
import KernelTesting
import Synchronization
import Testing

@Suite("Work that outlives a cancelled caller, and timers", .timeLimit(.minutes(4)))
struct ConcurrencyTests {
    private struct Failed: Error, Hashable {}

    @Test("behind the shield work runs to its end in a task that is cancelled already")
    func shield() async throws {
        let gate = LatestValue(false)
        let task = Task {
            for await isOpen in gate.values() where isOpen { break }
            return await withCancellationShield { (seen: Task.isCancelled, value: 7) }
        }
        task.cancel()
        gate.set(true)
        let result = await task.value
        #expect(result.seen == false)
        #expect(result.value == 7)
    }

    @Test("what shielded work throws reaches the caller")
    func shieldedFailure() async {
        await #expect(throws: Failed()) { try await withCancellationShield { throw Failed() } }
    }

    /// Keeps one timer and notes when it rang.
    private actor Keeper {
        let clock: ManualClock
        private var timer = DeadlineTimer()
        private(set) var rings: [Duration] = []
        private let start: ContinuousClock.Instant

        init(_ clock: ManualClock) {
            self.clock = clock
            start = clock.now
        }

        func set(_ deadline: Duration) {
            timer.set(to: start + deadline, on: clock) { [weak self] in await self?.rang($0) }
        }

        func cancel() { timer.cancel() }

        private func rang(_ deadline: ContinuousClock.Instant) {
            if timer.rang(deadline) { rings.append(deadline - start) }
        }

        func rung(_ count: Int) async -> [Duration] {
            while !Task.isCancelled, rings.count < count { await Task.yield() }
            return rings
        }
    }

    @Test("one timer sleeps for the earliest of its deadlines, is free once it rang, and is silent once cancelled")
    func timer() async {
        let clock = ManualClock()
        let keeper = Keeper(clock)
        await keeper.set(.seconds(5))
        await keeper.set(.seconds(9))
        await clock.sleeper(for: .seconds(5))
        await keeper.set(.seconds(2))
        await clock.sleeper(for: .seconds(2))
        clock.advance(by: .seconds(2))
        #expect(await keeper.rung(1) == [.seconds(2)])
        await keeper.set(.seconds(9))
        await clock.sleeper(for: .seconds(7))
        await keeper.cancel()
        await keeper.set(.seconds(12))
        await clock.sleeper(for: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await keeper.rung(2) == [.seconds(2), .seconds(12)])
    }
}
