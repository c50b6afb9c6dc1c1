import Kernel
import Synchronization
import Testing

@Suite("Latest value", .timeLimit(.minutes(4)))
struct LatestValueTests {
    @Test("a reader gets the value as it is, then each change it is there for")
    func changes() async {
        let latest = LatestValue(1)
        var reader = latest.values().makeAsyncIterator()
        #expect(await reader.next() == 1)
        latest.set(2)
        #expect(await reader.next() == 2)
        latest.update { $0 += 1 }
        #expect(await reader.next() == 3)
        #expect(latest.value == 3)
    }

    @Test("a slow reader gets the newest only, and nothing twice")
    func slowReader() async {
        let latest = LatestValue(1)
        var reader = latest.values().makeAsyncIterator()
        for value in 2...100 { latest.set(value) }
        #expect(await reader.next() == 100)
        latest.set(100)
        latest.set(101)
        #expect(await reader.next() == 101)
    }

    @Test("a cancelled reader ends and the others go on")
    func cancellation() async {
        let latest = LatestValue(1)
        var other = latest.values().makeAsyncIterator()
        let values = latest.values()
        let task = Task {
            var count = 0
            for await _ in values { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value <= 1)
        latest.set(2)
        #expect(await other.next() == 2)
    }

    @Test("changes made on all threads while readers are cancelled hold up nobody", .timeLimit(.minutes(5)))
    func cancelledDuringChanges() async {
        // Few turns with much in each: every turn waits behind the other tests.
        for _ in 0..<5 {
            let latest = LatestValue(0)
            let readers = (0..<2000).map { _ in
                let values = latest.values()
                return Task { for await _ in values {} }
            }
            await withDiscardingTaskGroup { group in
                group.addTask { for value in 1...500 { latest.set(value) } }
                group.addTask { for reader in readers { reader.cancel() } }
            }
            for reader in readers { await reader.value }
        }
    }

    @Test("what several change at once ends with what it is, and comes in one order to everybody")
    func order() async {
        let latest = LatestValue(0, capacity: 10_000)
        let readers = [latest.values(), latest.values()]
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<1000 { latest.update { $0 += 1 } } }
            }
        }
        latest.finish()
        for reader in readers {
            var seen: [Int] = []
            for await value in reader { seen.append(value) }
            #expect(seen == Array(0...4000))
        }
    }

    @Test("changes that come while others are handed over are kept up to the capacity, and the last of them arrives")
    func bound() async {
        let counter = Counter()
        let latest = LatestValue(Counted(0, counter) {})
        var reader = latest.values().makeAsyncIterator()
        // A value that is dropped unread ends inside the hand-over of its successor: a thousand changes come right then.
        latest.set(
            Counted(1, counter) {
                for number in 3...1002 { latest.set(Counted(number, counter) {}) }
                counter.note()
            }
        )
        latest.set(Counted(2, counter) {})
        #expect(await reader.next()?.number == 1002)
        #expect((1...8).contains(counter.noted))
    }
}

/// How many values there are, and were at one moment.
private final class Counter: Sendable {
    private let state = Mutex((now: 0, noted: 0))

    var noted: Int { state.withLock(\.noted) }
    func change(by difference: Int) { state.withLock { $0.now += difference } }
    func note() { state.withLock { $0.noted = $0.now } }
}

/// A value that is counted, and does something when it goes.
private final class Counted: Equatable, Sendable {
    let number: Int
    private let counter: Counter
    private let atEnd: @Sendable () -> Void

    init(_ number: Int, _ counter: Counter, atEnd: @escaping @Sendable () -> Void) {
        self.number = number
        self.counter = counter
        self.atEnd = atEnd
        counter.change(by: 1)
    }

    deinit {
        counter.change(by: -1)
        atEnd()
    }

    static func == (first: Counted, second: Counted) -> Bool { first.number == second.number }
}
