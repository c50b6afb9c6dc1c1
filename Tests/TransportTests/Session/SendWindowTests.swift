import Testing

@testable import Transport

@Suite("The send window", .timeLimit(.minutes(4)))
struct SendWindowTests {
    @Test("a fast link may soon carry all that may be under way")
    func fast() {
        var window = SendWindow()
        for number in UInt64(1)...5 {
            window.wasFull = true
            window.acknowledged(number, of: number, ahead: window.limit, queued: .milliseconds(2))
        }
        #expect(window.limit == SendWindow.most)
        #expect(window.time(for: SendWindow.most) < .milliseconds(10))
    }

    @Test("on a link of 1 Mbit/s less is under way than it carries in half a second")
    func slow() {
        var window = SendWindow()
        let speed = 125_000.0
        for number in UInt64(1)...20 {
            window.wasFull = true
            let queued = Duration.seconds(Double(window.limit) / speed)
            window.acknowledged(number, of: number, ahead: window.limit, queued: queued)
        }
        #expect(window.limit < 62_500)
        #expect(window.limit >= SendWindow.least)
        // A large message behind which a question waits is not taken for silence.
        #expect(window.time(for: 192 << 10) > .milliseconds(1500))
    }

    @Test("what is not used does not grow, and one round changes the window once")
    func rounds() {
        var window = SendWindow()
        window.acknowledged(1, of: 10, ahead: 1000, queued: .milliseconds(1))
        #expect(window.limit == SendWindow.first)
        window.wasFull = true
        window.acknowledged(2, of: 10, ahead: 1000, queued: .milliseconds(1))
        #expect(window.limit == 2 * SendWindow.first)
        window.wasFull = true
        window.acknowledged(9, of: 12, ahead: 1000, queued: .milliseconds(1))
        #expect(window.limit == 2 * SendWindow.first)
        window.acknowledged(11, of: 12, ahead: 1000, queued: .milliseconds(1))
        #expect(window.limit == 4 * SendWindow.first)
    }
}

@Suite("The watch for sleeps", .timeLimit(.minutes(4)))
struct SuspensionWatchTests {
    @Test("a look that comes much too late means that the machine slept; one that was gathered with others does not")
    func lateness() {
        #expect(!SuspensionWatch.isSleep(.seconds(30)))
        #expect(!SuspensionWatch.isSleep(.seconds(39)))
        #expect(SuspensionWatch.isSleep(.seconds(41)))
        #expect(SuspensionWatch.isSleep(.seconds(3600)))
    }
}
