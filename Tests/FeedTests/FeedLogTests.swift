import Feed
import Testing

@Suite("Feed: the log") struct FeedLogTests {
    private static func log() -> FeedLog<[Int]> {
        FeedLog(changeLimit: 4, byteLimit: 100, epoch: "e") { $0.reduce(0, +) }
    }

    @Test("it keeps as many changes as it may, by number and by size")
    func bounds() {
        let log = Self.log()
        #expect(log.epoch == "e")
        #expect(log.number == 0)
        #expect(log.news(after: 0) == .changes([]))
        #expect(log.news(after: 1) == .gap(0))
        for size in 1...4 { log.append { _ in [size] } }
        guard case .changes(let all) = log.news(after: 0) else { return #expect(Bool(false)) }
        #expect(all.map(\.change) == [[1], [2], [3], [4]])
        #expect(all.map(\.number) == [1, 2, 3, 4])
        log.append { _ in [5] }
        #expect(log.news(after: 0) == .gap(5))
        for _ in 0..<3 { log.append { _ in [50] } }
        guard case .changes(let last) = log.news(after: 6) else { return #expect(Bool(false)) }
        #expect(last.map(\.number) == [7, 8])
        #expect(log.news(after: 5) == .gap(8))
        // It is larger than all that may be kept.
        log.append { _ in [101] }
        #expect(log.news(after: 8) == .gap(9))
        #expect(log.news(after: 9) == .changes([]))
    }

    @Test("a change can hold its own number")
    func numbers() async {
        let log = Self.log()
        log.append { [Int($0)] }
        log.append { [Int($0)] }
        guard case .changes(let all) = log.news(after: 0) else { return #expect(Bool(false)) }
        #expect(all.map(\.change) == [[1], [2]])
        for await number in log.numbers() {
            #expect(number == 2)
            break
        }
    }

    @Test("after an interruption all that was before is a gap")
    func interruption() {
        let log = Self.log()
        log.append { _ in [1] }
        log.interrupt()
        #expect(log.news(after: 1) == .gap(2))
        #expect(log.news(after: 2) == .changes([]))
        log.append { _ in [2] }
        guard case .changes(let all) = log.news(after: 2) else { return #expect(Bool(false)) }
        #expect(all.map(\.number) == [3])
    }

    @Test("each log has an epoch of its own")
    func epochs() {
        let logs = (0..<2).map { _ in FeedLog<Int>(changeLimit: 1, byteLimit: 1) { _ in 0 } }
        #expect(logs[0].epoch != logs[1].epoch)
    }
}
