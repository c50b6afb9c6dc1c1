import Kernel
import Testing

@Suite("Latest value")
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
}
