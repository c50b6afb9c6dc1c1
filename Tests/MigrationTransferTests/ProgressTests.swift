import MigrationTransfer
import Testing

@Suite("The time left")
struct ProgressTests {
    private let start = ContinuousClock.now

    @Test("sending at a steady rate, the time left counts the stages to come as well")
    func steady() {
        var estimate = ProgressEstimate(totalBytes: 100_000_000)
        #expect(estimate.progress.timeLeft == nil)
        estimate.begin(.send)
        for second in 0...10 { estimate.record(Int64(second) * 1_000_000, at: start + .seconds(second)) }
        // 90 s of sending, and a tenth and a fifth of the whole 100 s for opening and restoring.
        #expect(seconds(estimate.progress.timeLeft).rounded() == 120)
        #expect(estimate.progress.doneBytes == 10_000_000)
    }

    @Test("a beginning in which little is durable yet says nothing for a second, and then what the whole of it says")
    func beginning() {
        var estimate = ProgressEstimate(totalBytes: 100_000_000)
        estimate.begin(.send)
        estimate.record(0, at: start)
        // Half a second without a synchronized byte, and then what arrived meanwhile.
        for step in 1...12 { estimate.record(0, at: start + .milliseconds(step * 40)) }
        estimate.record(2_000_000, at: start + .milliseconds(500))
        #expect(estimate.progress.timeLeft == nil)
        for step in 13...24 { estimate.record(2_000_000, at: start + .milliseconds(step * 40)) }
        estimate.record(4_000_000, at: start + .milliseconds(1000))
        let left = seconds(estimate.progress.timeLeft)
        // 24 s of sending and what follows, a tenth and a fifth of the whole.
        #expect((28...36).contains(left), "\(left)")
    }

    @Test("the share that is done only grows, over all stages, and is not whole before the end")
    func fraction() {
        var estimate = ProgressEstimate(totalBytes: 1000)
        var last = -1.0
        for stage in TransferStage.allCases {
            estimate.begin(stage)
            for bytes in [0, 500, 1000] as [Int64] {
                estimate.record(bytes, at: start)
                #expect(estimate.progress.fraction >= last)
                last = estimate.progress.fraction
            }
            if stage == .send { #expect(last < 0.9) }
        }
        #expect(last == 1)
    }

    @Test("a later stage that is slower than assumed is measured, and the time left follows it")
    func measured() {
        var estimate = ProgressEstimate(totalBytes: 1_000_000)
        estimate.begin(.send)
        for second in 0...10 { estimate.record(Int64(second) * 100_000, at: start + .seconds(second)) }
        #expect(seconds(estimate.progress.timeLeft).rounded() == 3)
        estimate.begin(.restore)
        for second in 0...5 { estimate.record(Int64(second) * 10_000, at: start + .seconds(20 + second)) }
        #expect(seconds(estimate.progress.timeLeft).rounded() == 95)
    }

    @Test("a pause is no time of transfer")
    func pause() {
        var estimate = ProgressEstimate(totalBytes: 100_000_000)
        estimate.begin(.send)
        for second in 0...10 { estimate.record(Int64(second) * 1_000_000, at: start + .seconds(second)) }
        let before = seconds(estimate.progress.timeLeft)
        estimate.pause()
        estimate.record(10_000_000, at: start + .seconds(1000))
        #expect(seconds(estimate.progress.timeLeft) == before)
    }

    private func seconds(_ duration: Duration?) -> Double { (duration ?? .zero) / .seconds(1) }
}
