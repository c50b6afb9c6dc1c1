import KernelTesting
import Sealing
import Testing

@testable import Transport

@Suite("Parts of a session", .timeLimit(.minutes(4)))
struct SessionPartsTests {
    @Test(
        "bodies are read back as they were written",
        arguments: [
            SessionBody.data(number: 1, durable: 2, acknowledged: 3, bytes: [4]),
            .data(number: 1, durable: 0, acknowledged: .max, bytes: []),
            .acknowledgement(7), .ping(.max), .pong(0), .close,
        ]
    )
    func bodies(body: SessionBody) {
        #expect(parsed(body.head + body.bytes) == body)
    }

    @Test("a body has its fields where the protocol puts them")
    func layout() {
        let body = SessionBody.data(number: 0x0102, durable: 3, acknowledged: 4, bytes: [9, 8])
        #expect(
            body.head + body.bytes == [1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 9, 8]
        )
        #expect(SessionBody.ping(5).head == [3, 0, 0, 0, 0, 0, 0, 0, 5])
        #expect(SessionBody.close.head == [5])
    }

    @Test(
        "bodies that were cut short, of later versions or out of range are not read",
        arguments: [
            [], [0], [6], [2, 0], [3], [1, 0, 0, 0, 0, 0, 0, 0, 1],
            [1] + [UInt8](repeating: 0, count: 24), [1] + [UInt8](repeating: 255, count: 24),
        ] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) {
        #expect(parsed(bytes) == nil)
    }

    // No argument of the test above: its name would be a line of 2 MB.
    @Test("the largest message is read, one byte more is not")
    func largest() {
        let head = [1] + [UInt8](repeating: 1, count: 24)
        #expect(parsed(head + [UInt8](repeating: 1, count: 700_000))?.bytes.count == 700_000)
        #expect(parsed(head + [UInt8](repeating: 1, count: 700_001)) == nil)
    }

    private func parsed(_ bytes: [UInt8]) -> SessionBody? { bytes.withUnsafeBytes { SessionBody($0) } }

    @Test("a durable message that was had is not handed out, and acknowledged only after those before it")
    func repeats() {
        var inbox = Inbox(cursor: 2)
        let epoch = Epoch.random()
        inbox.begin(epoch)
        #expect(inbox.arrive(number: 1, durable: 2, bytes: [2]) == .ready)
        #expect(inbox.acknowledgeable == Acknowledged(epoch: epoch, number: 1))
        #expect(inbox.arrive(number: 2, durable: 3, bytes: [3]) == .ready)
        #expect(inbox.arrive(number: 3, durable: 3, bytes: [3]) == .ready)
        #expect(inbox.arrive(number: 3, durable: 3, bytes: [3]) == .repeated)
        #expect(inbox.acknowledgeable.number == 1)
        #expect(inbox.take() == PeerMessage(bytes: [3], durable: 3))
        #expect(inbox.take() == nil)
        #expect(inbox.acknowledgeable.number == 1)
        inbox.finish()
        #expect(inbox.acknowledgeable.number == 3)
        #expect(inbox.take() == nil)
        #expect(inbox.byteCount == 0)
    }

    @Test("what arrived in one epoch is handed out before what arrives in the next")
    func epochs() {
        var inbox = Inbox(cursor: 0)
        inbox.begin(.random())
        #expect(inbox.arrive(number: 1, durable: 0, bytes: [1]) == .ready)
        #expect(inbox.arrive(number: 3, durable: 0, bytes: [3]) == .early)
        let next = Epoch.random()
        inbox.begin(next)
        #expect(inbox.arrive(number: 1, durable: 0, bytes: [11]) == .ready)
        #expect(inbox.take()?.bytes == [1])
        inbox.finish()
        #expect(inbox.take()?.bytes == [11])
        inbox.finish()
        #expect(inbox.acknowledgeable == Acknowledged(epoch: next, number: 1))
        #expect(inbox.byteCount == 0)
    }

    @Test("only so much is on its way at a time, and each acknowledgement lets more go")
    func inFlight() {
        var outbox = Outbox()
        for number in 0..<300 { outbox.append([UInt8(number & 0xFF)], durable: 0) }
        let now = ContinuousClock.now
        let link = LinkID(1)
        func drain() -> Int {
            var count = 0
            while outbox.next(on: link, now: now, timeout: .seconds(1), limit: .seconds(10)) != nil { count += 1 }
            return count
        }
        #expect(drain() == 128)
        #expect(outbox.acknowledge(through: 100, now: now, timeout: .seconds(1), roundTrip: .zero)?.durable == 0)
        #expect(drain() == 100)
        #expect(outbox.acknowledge(through: 100, now: now, timeout: .seconds(1), roundTrip: .zero) == nil)
        outbox.resend(sentOn: link)
        #expect(drain() == 128)
    }

    @Test("bulk takes little of what may be on its way while somebody types, and much a second later")
    func besideUrgent() {
        var outbox = Outbox(window: SendWindow(limit: SendWindow.most))
        let now = ContinuousClock.now
        for _ in 0..<8 { outbox.append([UInt8](repeating: 7, count: 220_000), durable: 0, isBulk: true, now: now) }
        outbox.append([1], durable: 0, now: now)
        func leaving(_ now: ContinuousClock.Instant) -> Int {
            var count = 0
            while outbox.hasNext(now: now) {
                #expect(outbox.next(on: LinkID(1), now: now, timeout: .seconds(1), limit: .seconds(10)) != nil)
                count += 1
            }
            #expect(outbox.next(on: LinkID(1), now: now, timeout: .seconds(1), limit: .seconds(10)) == nil)
            return count
        }
        #expect(leaving(now + .milliseconds(999)) == 3)
        #expect(leaving(now + .seconds(1)) == 5)
        #expect(outbox.acknowledge(through: 2, now: now, timeout: .seconds(1), roundTrip: .zero)?.durable == 0)
        #expect(leaving(now + .seconds(1)) == 1)
    }

    @Test("beside large answers without end a file gets a quarter of the bytes")
    func besideAnswers() throws {
        var outbox = Outbox(window: SendWindow(limit: 512 << 10))
        let now = ContinuousClock.now
        for _ in 0..<60 { outbox.append([UInt8](repeating: 7, count: 200_000), durable: 0, isBulk: true, now: now) }
        for _ in 0..<200 { outbox.append([UInt8](repeating: 7, count: 90_000), durable: 0, now: now) }
        var sent = (answers: 0, files: 0)
        // What one acknowledgement gives back always fits an answer; a part of the file that has its turn must find room all the same.
        for number: UInt64 in 1...200 {
            while let entry = outbox.next(on: LinkID(1), now: now, timeout: .seconds(1), limit: .seconds(10)) {
                if entry.isBulk { sent.files += entry.bytes.count } else { sent.answers += entry.bytes.count }
            }
            #expect(outbox.acknowledge(through: number, now: now, timeout: .seconds(1), roundTrip: .zero) != nil)
        }
        // A part of a file is larger than an answer, and what is under way at the end is no whole round.
        #expect(0.15...0.3 ~= Double(sent.files) / Double(sent.files + sent.answers), "\(sent)")
    }

    @Test("whatever a single link loses and however it slows down, all arrives in the end", arguments: 0..<90)
    func lossyLink(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var outbox = Outbox()
        var now = ContinuousClock.now
        let end = now + .seconds(3600)
        var arriving: [(at: ContinuousClock.Instant, number: UInt64)] = []
        var acknowledging: [(at: ContinuousClock.Instant, through: UInt64)] = []
        var arrived: Set<UInt64> = []
        var through: UInt64 = 0
        let speeds = [100_000.0, 1_000_000, 12_000_000]
        var loss = Int.random(in: 0..<50, using: &random)
        var speed = speeds.randomElement(using: &random) ?? 1
        var freeAt = now
        for _ in 0..<80 {
            let size = [20, 900, 60_000, 524_288].randomElement(using: &random) ?? 1
            outbox.append([UInt8](repeating: 7, count: size), durable: 0, isBulk: size > 100_000, now: now)
        }
        while !outbox.isEmpty, now < end {
            while let entry = outbox.next(on: LinkID(1), now: now, timeout: .milliseconds(300), limit: .seconds(10)) {
                freeAt = max(freeAt, now) + .seconds(Double(entry.bytes.count) / speed)
                guard Int.random(in: 0..<100, using: &random) >= loss else { continue }
                arriving.append((freeAt + .milliseconds(Int.random(in: 1...50, using: &random)), entry.number))
            }
            now += .milliseconds(20)
            if Int.random(in: 0..<200, using: &random) == 0 {
                loss = Int.random(in: 0..<60, using: &random)
                speed = speeds.randomElement(using: &random) ?? 1
            }
            for message in arriving where message.at <= now { arrived.insert(message.number) }
            arriving.removeAll { $0.at <= now }
            while arrived.contains(through + 1) { through += 1 }
            if Int.random(in: 0..<100, using: &random) >= loss {
                acknowledging.append((now + .milliseconds(Int.random(in: 1...300, using: &random)), through))
            }
            for one in acknowledging where one.at <= now {
                _ = outbox.acknowledge(
                    through: one.through,
                    now: now,
                    timeout: .milliseconds(300),
                    roundTrip: .milliseconds(50)
                )
            }
            acknowledging.removeAll { $0.at <= now }
            _ = outbox.retransmitIfDue(now: now)
        }
        #expect(outbox.isEmpty, "\(through) of 80 arrived, \(loss) % lost")
    }

    @Test(
        "when all that is under way is lost and the window has become narrow, the oldest leave again, until all arrived"
    )
    func lossWithNarrowWindow() throws {
        var outbox = Outbox(window: SendWindow(limit: SendWindow.most))
        let link = LinkID(1)
        var now = ContinuousClock.now
        func leaving() -> [UInt64] {
            var numbers: [UInt64] = []
            while let entry = outbox.next(on: link, now: now, timeout: .seconds(1), limit: .seconds(10)) {
                numbers.append(entry.number)
            }
            return numbers
        }
        for _ in 0..<24 { outbox.append([UInt8](repeating: 7, count: 64 << 10), durable: 0) }
        #expect(leaving() == Array(1...24))
        // The first took long, which says that the link is slow; everything behind it is lost.
        now += .seconds(3)
        #expect(outbox.acknowledge(through: 1, now: now, timeout: .seconds(1), roundTrip: .zero) != nil)
        var arrived: UInt64 = 1
        for _ in 0..<100 where !outbox.isEmpty {
            var numbers = leaving()
            if numbers.isEmpty {
                now = try #require(outbox.deadline)
                let isDue = outbox.retransmitIfDue(now: now)
                #expect(isDue)
                numbers = leaving()
            }
            #expect(numbers.first == arrived + 1)
            arrived = try #require(numbers.last)
            #expect(outbox.acknowledge(through: arrived, now: now, timeout: .seconds(1), roundTrip: .zero) != nil)
        }
        #expect(arrived == 24)
        #expect(outbox.isEmpty && outbox.deadline == nil)
    }

    @Test(
        "what is not bulk overtakes bulk that has not left; numbers follow the order of leaving, and bulk leaves room"
    )
    func overtaking() throws {
        var outbox = Outbox(window: SendWindow(limit: SendWindow.most))
        let part = [UInt8](repeating: 7, count: 600_000)
        for _ in 0..<4 { outbox.append(part, durable: 0, isBulk: true) }
        let now = ContinuousClock.now
        let link = LinkID(1)
        func next() -> Outbox.Entry? { outbox.next(on: link, now: now, timeout: .seconds(1), limit: .seconds(10)) }
        #expect(next()?.number == 1)
        #expect(next()?.number == 2)
        // A third would be above what bulk may have on its way.
        #expect(next() == nil)
        outbox.append([1], durable: 5, isBulk: true)
        outbox.append([2], durable: 0)
        let first = try #require(next())
        #expect((first.number, first.bytes, first.durable) == (3, [1], 5))
        #expect(next()?.bytes == [2])
        #expect(next() == nil)
        #expect(outbox.acknowledge(through: 1, now: now, timeout: .seconds(1), roundTrip: .zero)?.durable == 0)
        let third = try #require(next())
        #expect((third.number, third.bytes.count) == (5, part.count))
        // What is sent again keeps its number and its turn; over another link, of which nothing is known, little goes at a time.
        outbox.resend(sentOn: link)
        #expect((0..<4).compactMap { _ in next()?.number } == [2])
        #expect(outbox.acknowledge(through: 2, now: now, timeout: .seconds(1), roundTrip: .zero)?.durable == 0)
        #expect((0..<4).compactMap { _ in next()?.number } == [3, 4])
        #expect(outbox.acknowledge(through: 4, now: now, timeout: .seconds(1), roundTrip: .zero)?.durable == 5)
        #expect((0..<4).compactMap { _ in next()?.number } == [5])
        #expect(outbox.acknowledge(through: 5, now: now, timeout: .seconds(1), roundTrip: .zero)?.durable == 0)
        #expect(next()?.number == 6)
        #expect(!outbox.isEmpty)
        #expect(outbox.acknowledge(through: 6, now: now, timeout: .seconds(1), roundTrip: .zero)?.durable == 0)
        #expect(outbox.isEmpty)
    }

    @Test("retransmissions wait twice as long each time, up to the limit, until one arrives")
    func retransmission() throws {
        var outbox = Outbox()
        outbox.append([1], durable: 0)
        var now = ContinuousClock.now
        var waits: [Duration] = []
        for _ in 0..<7 {
            let entry = outbox.next(on: LinkID(1), now: now, timeout: .milliseconds(250), limit: .seconds(10))
            #expect(entry?.number == 1)
            let deadline = try #require(outbox.deadline)
            waits.append(deadline - now)
            now = deadline
            let isDue = outbox.retransmitIfDue(now: now)
            #expect(isDue)
        }
        #expect(
            waits == [
                .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8),
                .seconds(10),
            ]
        )
    }

    @Test("a waiting line wakes in order, passes over who left, and remembers who was woken before waiting")
    func waitingLine() async throws {
        let line = FIFOWaiters()
        let first = line.join()
        let second = line.join()
        let third = line.join()
        line.leave(first)
        #expect(line.wakeFirst())
        try await line.wait(at: second)
        let task = Task { try await line.wait(at: third) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!line.wakeFirst())
        line.end(throwing: SessionError.closed)
        let late = line.join()
        await #expect(throws: SessionError.closed) { try await line.wait(at: late) }
    }
}
