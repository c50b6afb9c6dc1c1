import DesktopNotifications
import Testing

@testable import LinuxNotifications

@Suite("Events on their way to their reader", .timeLimit(.minutes(4)))
struct EventBufferTests {
    private static func shown(
        _ id: UInt32,
        by program: String = "p",
        body: String = "",
        replacing replaced: UInt32? = nil
    ) -> BusEvent {
        .shown(id: id, BusNotification(programName: program, title: "t", body: body), replaces: replaced)
    }

    private static func closed(_ id: UInt32) -> BusEvent { .closed(id: id, .expired) }

    /// What waits, in its order; ends the buffer.
    private func rest(of buffer: EventBuffer) async -> [BusEvent] {
        let end = BusEvent.unavailable("end")
        buffer.add(end)
        var events: [BusEvent] = []
        while let event = await buffer.next(), event != end { events.append(event) }
        return events
    }

    @Test("of a full buffer the program that shows the most loses its own")
    func loud() async {
        let buffer = EventBuffer(countLimit: 3)
        buffer.add(Self.shown(1, by: "quiet"))
        for id in 2...20 { buffer.add(Self.shown(UInt32(id), by: "loud")) }
        #expect(await buffer.next() == .missed(17))
        #expect(await buffer.next() == Self.shown(1, by: "quiet"))
        #expect(await buffer.next() == Self.shown(19, by: "loud"))
        #expect(await buffer.next() == Self.shown(20, by: "loud"))
    }

    @Test("a full buffer loses the oldest that was shown, and says how many")
    func full() async {
        let buffer = EventBuffer(countLimit: 3)
        buffer.add(.closed(id: 1, .expired))
        for id in 2...5 { buffer.add(Self.shown(UInt32(id))) }
        #expect(await buffer.next() == .missed(2))
        #expect(await buffer.next() == .closed(id: 1, .expired))
        #expect(await buffer.next() == Self.shown(4))
        #expect(await buffer.next() == Self.shown(5))
    }

    @Test("bytes are bounded as well as the number")
    func bytes() async {
        let buffer = EventBuffer(byteLimit: 20_000)
        for id in 1...3 { buffer.add(Self.shown(UInt32(id), body: String(repeating: "x", count: 9000))) }
        #expect(await buffer.next() == .missed(1))
        for id in 2...3 {
            #expect(await buffer.next() == Self.shown(UInt32(id), body: String(repeating: "x", count: 9000)))
        }
    }

    @Test("what is held back comes behind what it was held for, and counts meanwhile")
    func held() async {
        let buffer = EventBuffer(countLimit: 3)
        buffer.add(Self.shown(1))
        buffer.hold()
        buffer.add(Self.shown(2))
        buffer.add(.closed(id: 9, .expired))
        buffer.add(Self.shown(3))
        #expect(buffer.release(.unavailable("gone"), holds: 1))
        #expect(await buffer.next() == .missed(2))
        #expect(await buffer.next() == .unavailable("gone"))
        #expect(await buffer.next() == .closed(id: 9, .expired))
        #expect(await buffer.next() == Self.shown(3))
        buffer.finish()
        #expect(await buffer.next() == nil)
        let other = EventBuffer(countLimit: 4)
        other.hold()
        other.add(Self.shown(2))
        other.hold()
        #expect(!other.release(.unavailable("old"), holds: 1))
        #expect(other.release(.unavailable("gone"), holds: 2))
        other.add(Self.shown(3))
        #expect(await other.next() == .unavailable("gone"))
        #expect(await other.next() == Self.shown(2))
        #expect(await other.next() == Self.shown(3))
    }

    @Test("a cancelled reader gets nil, at once and later")
    func cancelled() async {
        let buffer = EventBuffer()
        let reader = Task { await buffer.next() }
        reader.cancel()
        #expect(await reader.value == nil)
        buffer.add(Self.shown(1))
        #expect(await buffer.next() == nil)
    }

    @Test("the ends of what a flood showed leave room for what another program shows")
    func endsOfAFlood() async {
        let buffer = EventBuffer(countLimit: 64)
        for id in 1...3000 as ClosedRange<UInt32> {
            buffer.add(Self.shown(id, by: "loud"))
            if id > 32 { buffer.add(Self.closed(id - 32)) }
        }
        buffer.add(Self.shown(3001, by: "quiet"))
        buffer.add(Self.closed(2969))
        let events = await rest(of: buffer)
        #expect(events.contains(Self.shown(3001, by: "quiet")))
        var told: Set<UInt32> = []
        var missed = 0
        for event in events {
            switch event {
            case .shown(let id, _, _): told.insert(id)
            case .closed(let id, _): #expect(told.contains(id), "\(id)")
            case .missed(let count): missed += count
            default: break
            }
        }
        #expect(told.count + missed == 3001)
    }

    @Test("the end of one that was told is told, also when a newer text of it was dropped")
    func endOfAReplacedOne() async {
        let buffer = EventBuffer(countLimit: 3)
        buffer.add(Self.shown(7))
        #expect(await buffer.next() == Self.shown(7))
        for _ in 0..<5 { buffer.add(Self.shown(7, replacing: 7)) }
        buffer.add(Self.closed(7))
        #expect(await rest(of: buffer) == [.missed(4), Self.shown(7, replacing: 7), Self.closed(7)])
    }

    @Test("a number that is used anew after its notification was dropped is told to its end")
    func numberAnew() async {
        let buffer = EventBuffer(countLimit: 3)
        for id in 1...4 as ClosedRange<UInt32> { buffer.add(Self.shown(id)) }
        #expect(await buffer.next() == .missed(1))
        for id in 2...4 as ClosedRange<UInt32> { #expect(await buffer.next() == Self.shown(id)) }
        buffer.add(Self.shown(1))
        buffer.add(Self.closed(1))
        #expect(await rest(of: buffer) == [Self.shown(1), Self.closed(1)])
    }

    @Test("where each program shows one, ends go first, and never what the service itself is")
    func ends() async {
        let buffer = EventBuffer(countLimit: 4)
        buffer.add(.unavailable("gone"))
        buffer.add(Self.closed(1))
        for id in 2...20 as ClosedRange<UInt32> { buffer.add(Self.shown(id, by: "\(id)")) }
        let events = await rest(of: buffer)
        #expect(events == [.missed(17), .unavailable("gone"), Self.shown(19, by: "19"), Self.shown(20, by: "20")])
    }
}
