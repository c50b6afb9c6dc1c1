import KernelTesting
import Principals
import Testing

@Suite("Guesses of secrets", .timeLimit(.minutes(1)))
struct GuessThrottleTests {
    private static let sourceLimit = 4096

    private let clock = ManualClock()
    private let stranger = GuessThrottle.Source.of("192.0.2.7")

    /// With the limits of the bridge.
    private func throttle() -> GuessThrottle {
        func limits(_ failures: Int) -> GuessThrottle.Limits {
            .init(failures: failures, within: .seconds(60), firstWait: .seconds(10), longestWait: .seconds(900))
        }
        return GuessThrottle(each: limits(5), all: limits(60), sourceLimit: Self.sourceLimit)
    }

    @Test("the fifth wrong secret in a minute closes the door for ten seconds, each more for twice as long")
    func growing() {
        var throttle = throttle()
        for _ in 1..<5 {
            throttle.fail(stranger, now: clock.now)
            #expect(throttle.wait(of: stranger, now: clock.now) == nil)
        }
        for seconds in [10, 20, 40, 80, 160, 320, 640, 900, 900] {
            throttle.fail(stranger, now: clock.now)
            #expect(throttle.wait(of: stranger, now: clock.now) == .seconds(seconds))
            clock.advance(by: .seconds(seconds))
            #expect(throttle.wait(of: stranger, now: clock.now) == nil)
        }
        // Another source is not kept out, nor is this one after a quiet quarter of an hour.
        #expect(throttle.wait(of: .of("192.0.2.8"), now: clock.now) == nil)
        clock.advance(by: .seconds(901))
        throttle.fail(stranger, now: clock.now)
        #expect(throttle.wait(of: stranger, now: clock.now) == nil)
    }

    @Test("four wrong secrets a minute stay mistakes")
    func slow() {
        var throttle = throttle()
        for _ in 0..<40 {
            throttle.fail(stranger, now: clock.now)
            clock.advance(by: .seconds(16))
            #expect(throttle.wait(of: stranger, now: clock.now) == nil)
        }
    }

    @Test("who is exempt is never kept out, and a source that showed a secret only by its own guesses")
    func known() {
        var throttle = throttle()
        for _ in 0..<100 { throttle.fail(.exempt, now: clock.now) }
        #expect(throttle.wait(of: .exempt, now: clock.now) == nil)
        #expect(throttle.wait(of: .anyone, now: clock.now) == nil)
        let friend = GuessThrottle.Source.of("192.0.2.9")
        throttle.succeed(friend)
        for number in 0..<60 { throttle.fail(.of("198.51.100.\(number)"), now: clock.now) }
        #expect(throttle.wait(of: .of("203.0.113.1"), now: clock.now) == .seconds(10))
        #expect(throttle.wait(of: .anyone, now: clock.now) == .seconds(10))
        #expect(throttle.wait(of: .exempt, now: clock.now) == nil)
        #expect(throttle.wait(of: friend, now: clock.now) == nil)
        for _ in 0..<5 { throttle.fail(friend, now: clock.now) }
        #expect(throttle.wait(of: friend, now: clock.now) == .seconds(10))
    }

    @Test("sources are bounded, and those that wait stay")
    func bounded() {
        var throttle = throttle()
        throttle.succeed(stranger)
        for _ in 0..<5 { throttle.fail(stranger, now: clock.now) }
        for number in 0..<(Self.sourceLimit + 100) { throttle.fail(.of("\(number)"), now: clock.now) }
        #expect(throttle.sourceCount == Self.sourceLimit)
        #expect(throttle.wait(of: stranger, now: clock.now) == .seconds(10))
    }

    @Test("where sources are not told apart all have some tries, then one in each wait")
    func allTogether() {
        let limits = GuessThrottle.Limits(
            failures: 20,
            within: .seconds(60),
            firstWait: .seconds(3),
            longestWait: .seconds(3)
        )
        var throttle = GuessThrottle(each: nil, all: limits)
        for _ in 0..<20 {
            #expect(throttle.wait(of: .anyone, now: clock.now) == nil)
            throttle.fail(.anyone, now: clock.now)
        }
        for _ in 0..<50 {
            #expect(throttle.wait(of: .anyone, now: clock.now) == .seconds(3))
            clock.advance(by: .seconds(3))
            #expect(throttle.wait(of: .anyone, now: clock.now) == nil)
            throttle.fail(.anyone, now: clock.now)
        }
        #expect(throttle.sourceCount == 0)
        // A good one changes nothing for all.
        throttle.succeed(.anyone)
        #expect(throttle.wait(of: .anyone, now: clock.now) == .seconds(3))
    }
}
