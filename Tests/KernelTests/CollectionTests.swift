import Synchronization
import Testing

@testable import Kernel

@Suite("Collections and broadcasting", .timeLimit(.minutes(4)))
struct CollectionTests {
    @Test("an expiring set knows a repeat until its lifetime is over")
    func lifetime() {
        var set = ExpiringSet<String>(capacity: 10, lifetime: .seconds(30))
        let start = ContinuousClock().now
        #expect(set.insert("a", now: start) == true)
        #expect(set.insert("a", now: start + .seconds(29)) == false)
        #expect(set.contains("a", now: start + .seconds(29)))
        #expect(!set.contains("a", now: start + .seconds(30)))
        #expect(set.insert("a", now: start + .seconds(30)) == true)
    }

    @Test("an expiring set forgets its oldest over capacity, however many pass through")
    func capacity() {
        var set = ExpiringSet<Int>(capacity: 100, lifetime: .seconds(30))
        let now = ContinuousClock().now
        for element in 0..<10_000 { #expect(set.insert(element, now: now) == true) }
        #expect(set.count == 100)
        #expect(set.insert(9_900, now: now) == false)
        #expect(set.insert(9_899, now: now) == true)
    }

    @Test("every reader gets every event")
    func broadcast() async {
        let broadcaster = Broadcaster<Int>()
        let readers = [broadcaster.subscribe(), broadcaster.subscribe()]
        for event in 1...3 { broadcaster.send(event) }
        broadcaster.finish()
        for reader in readers {
            #expect(await reader.reduce(into: []) { $0.append($1) } == [1, 2, 3])
        }
    }

    @Test("a reader that falls behind loses its oldest events and no one else's")
    func slowReader() async {
        let broadcaster = Broadcaster<Int>(capacity: 2)
        let slow = broadcaster.subscribe()
        for event in 1...5 { broadcaster.send(event) }
        broadcaster.finish()
        #expect(await slow.reduce(into: []) { $0.append($1) } == [4, 5])
    }

    @Test("after the end a new reader's stream ends at once")
    func finished() async {
        let broadcaster = Broadcaster<Int>()
        broadcaster.finish()
        #expect(await broadcaster.subscribe().reduce(0, +) == 0)
    }
    @Test("an observer gets every event in the sender's turn, until it is ended or the broadcaster is")
    func observer() {
        let broadcaster = Broadcaster<Int>()
        let seen = Mutex<[Int]>([])
        let end = broadcaster.observe { event in seen.withLock { $0.append(event) } }
        for event in 0..<1000 { broadcaster.send(event) }
        #expect(seen.withLock { $0 } == Array(0..<1000))
        end()
        end()
        broadcaster.send(1000)
        let other = broadcaster.observe { event in seen.withLock { $0.append(event) } }
        broadcaster.finish()
        broadcaster.send(1001)
        other()
        broadcaster.observe { _ in seen.withLock { $0.append(-1) } }()
        #expect(seen.withLock { $0.count } == 1000)
    }

}
