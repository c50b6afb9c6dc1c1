import Foundation
import KernelTesting
import Testing

@testable import Kernel

@Suite("Time", .timeLimit(.minutes(4)))
struct TimeTests {
    private struct TooLate: Error, Hashable {}

    @Test("backoff climbs its steps, stays on the last and starts again after a reset")
    func backoff() {
        var backoff = Backoff(steps: [.milliseconds(500), .seconds(1), .seconds(2)], jitter: 0)
        #expect(
            (0..<5).map { _ in backoff.next() } == [
                .milliseconds(500), .seconds(1), .seconds(2), .seconds(2), .seconds(2),
            ]
        )
        backoff.reset()
        #expect(backoff.next() == .milliseconds(500))
    }

    @Test("jitter stays within its part of the step")
    func jitter() {
        var backoff = Backoff(steps: [.seconds(10)], jitter: 0.2)
        for _ in 0..<200 {
            let wait = backoff.next()
            #expect(wait >= .seconds(8) && wait <= .seconds(12))
        }
    }

    @Test("a bucket gives its burst, then only what flowed in")
    func tokenBucket() {
        var bucket = TokenBucket(capacity: 3, refillPerSecond: 2, now: 0)
        #expect((0..<4).map { _ in bucket.take(now: 0) } == [true, true, true, false])
        #expect(bucket.take(now: 400_000_000) == false)
        #expect(bucket.take(now: 500_000_000) == true)
        #expect(!bucket.isFull(now: 500_000_000))
        #expect(bucket.isFull(now: 2_000_000_000))
        #expect(bucket.take(4, now: 60_000_000_000) == false)
    }

    @Test("a timeout ends a wait that would not end, without waiting for it")
    func timeout() async {
        await #expect(throws: TooLate()) {
            try await withTimeout(.seconds(3600), on: ImmediateClock(), throwing: TooLate()) {
                try await ManualClock().sleep(for: .seconds(1))
            }
        }
    }

    @Test("a timeout counts from its call, however late its task gets its turn")
    func timeoutBegins() async {
        let clock = ManualClock()
        await #expect(throws: TooLate()) {
            // The operation has its turn first, and moves the time before the other task has begun to wait.
            try await withTaskExecutorPreference(QueueExecutor()) {
                try await withTimeout(.seconds(5), on: clock, throwing: TooLate()) {
                    clock.advance(by: .seconds(5))
                    await clock.sleeper(for: .seconds(3600))
                }
            }
        }
    }

    @Test("a pause until a time that has come already is over at once, and one that is cancelled says so")
    func pauseUntil() async {
        let clock = ManualClock()
        let deadline = clock.now + .seconds(5)
        let waiting = Task { await clock.pause(until: deadline + .seconds(1)) }
        await clock.sleeper(for: .seconds(6))
        clock.advance(by: .seconds(5))
        #expect(await clock.pause(until: deadline))
        waiting.cancel()
        #expect(await waiting.value == false)
    }

    @Test("who waits for a sleeper that never comes can be cancelled")
    func awaitedSleeper() async {
        let clock = ManualClock()
        let waiting = Task { await clock.sleeper(for: .seconds(5)) }
        let other = Task { await clock.sleeper(for: .seconds(7)) }
        waiting.cancel()
        await waiting.value
        let cancelledBefore = Task {
            while !Task.isCancelled { await Task.yield() }
            await clock.sleeper(for: .seconds(5))
        }
        cancelledBefore.cancel()
        await cancelledBefore.value
        // The other one still waits for its own.
        let sleeping = Task { await clock.pause(for: .seconds(7)) }
        await other.value
        clock.advance(by: .seconds(7))
        #expect(await sleeping.value)
    }

    @Test("an operation that is quick enough gives its value")
    func withinTime() async throws {
        let value = try await withTimeout(.seconds(1), on: ManualClock(), throwing: TooLate()) { 42 }
        #expect(value == 42)
    }

    @Test("a manual clock wakes only those whose time has come")
    func manualClock() async throws {
        let clock = ManualClock()
        let early = Task { try await clock.sleep(for: .seconds(1)) }
        let late = Task { try await clock.sleep(for: .seconds(5)) }
        await clock.sleepers(2)
        let start = clock.date
        clock.advance(by: .seconds(2))
        try await early.value
        #expect(clock.date.timeIntervalSince(start) == 2)
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("milliseconds survive the way to a date and back", arguments: [0, 1, 1_790_000_000_123, -1_500])
    func milliseconds(value: Int64) {
        #expect(Date(millisecondsSince1970: value).millisecondsSince1970 == value)
    }

    @Test("a date that does not fit into milliseconds is the nearest one that does")
    func extremeMilliseconds() {
        #expect(Date(millisecondsSince1970: .max).millisecondsSince1970 > 9_223_372_036_000_000_000)
        #expect(Date(millisecondsSince1970: .min).millisecondsSince1970 < -9_223_372_036_000_000_000)
        #expect(Date(timeIntervalSince1970: .infinity).millisecondsSince1970 == .max)
        #expect(Date(timeIntervalSince1970: -.infinity).millisecondsSince1970 == .min)
        #expect(Date(timeIntervalSince1970: .nan).millisecondsSince1970 == 0)
    }

    @Test("ticks are the nanoseconds of a clock that only moves forward")
    func ticks() {
        let clock = ManualClock()
        let start = clock.ticks
        clock.advance(by: .seconds(3) + .nanoseconds(7))
        #expect(clock.ticks - start == 3_000_000_007)
        // A minute before the process began can still be counted.
        #expect(start > 60_000_000_000)
        #expect(SystemTime().ticks <= SystemTime().ticks)
    }

    @Test("a bucket says when it will have enough again, and never where it cannot hold as much")
    func bucketWaits() {
        var bucket = TokenBucket(capacity: 2, refillPerSecond: 0.5, now: 0)
        #expect(bucket.wait(for: 2, now: 0) == 0)
        #expect(bucket.wait(for: 3, now: 0) == .max)
        let isTaken = bucket.take(2, now: 0)
        #expect(isTaken)
        #expect(bucket.wait(for: 1, now: 0) == 2_000_000_000)
        #expect(bucket.wait(for: 2, now: 1_000_000_000) == 3_000_000_000)
        let early = bucket.take(now: 1_999_999_999)
        let onTime = bucket.take(now: 2_000_000_000)
        #expect(!early)
        #expect(onTime)
    }

    @Test("a bucket's debt is as large as what was spent, unless a deepest one is named")
    func debt() {
        var bucket = TokenBucket(capacity: 2, refillPerSecond: 1, now: 0)
        let whole = bucket.spend(12, now: 0)
        let bounded = bucket.spend(1, now: 0, deepest: 2)
        let paid = bucket.spend(0, now: 2_000_000_000)
        #expect(whole == 10_000_000_000)
        #expect(bounded == 2_000_000_000)
        #expect(paid == 0)
    }

    /// In a process of its own: the time zone is the process's.
    @Test("the system's time zone is the one that is set now")
    func timeZone() async {
        await #expect(processExitsWith: .success) {
            for (zone, seconds) in [("JST-9", 32_400), ("NPT-5:45", 20_700), ("NST3:30", -12_600)] {
                setenv("TZ", zone, 1)
                #expect(TimeZone.ofSystemNow.secondsFromGMT() == seconds)
            }
        }
    }

    @Test("both of the system's time sources move, wake a sleeper no sooner than asked, and tell the same date")
    func systemTimes() async throws {
        for time in [SystemTime(), AwakeTime()] as [any TimeSource] {
            let began = time.now
            try await time.sleep(for: .milliseconds(1))
            #expect(time.now - began >= .milliseconds(1))
            #expect(abs(time.date.timeIntervalSinceNow) < 60)
        }
        let slept = SystemTime().slept
        #expect(SystemTime().slept - slept < .seconds(60))
    }
}
