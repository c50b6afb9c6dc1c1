import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Commands
@testable import Terminal
@testable import TerminalHost

@Suite("Terminal output", .timeLimit(.minutes(5)))
struct TerminalOutputTests {
    private let ada = TerminalFixture.ada
    private let bo = TerminalFixture.bo
    private let block = String(repeating: "0123456789abcde\n", count: 1024)  // 16 KiB

    private func sequence(of events: [RemoteEvent]) -> [Int64] {
        events.compactMap { $0.members["seq"]?.integerValue }
    }

    @Test("a character whose bytes come apart is kept whole; wrong bytes become U+FFFD")
    func characters() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        let text = "aé€😀"
        for byte in text.utf8 { terminal.say([byte]) }
        #expect(await fixture.outlet.text(endingWith: "😀", to: ada) == text)
        for event in fixture.outlet.sent(to: ada) {
            #expect(event.members["data"]?.stringValue?.contains("\u{FFFD}") == false)
        }
        terminal.say([0xFF, 0xC3, 0x28, 0xE2, 0x82])
        terminal.end(.exited(code: 0))
        #expect(await fixture.outlet.text(endingWith: "(\u{FFFD}", to: ada) == text + "\u{FFFD}\u{FFFD}(\u{FFFD}")
    }

    @Test("text cut at every place comes out as it went in", arguments: 1...7)
    func decoder(step: Int) {
        let text = "päß€uro😀👩‍👩‍👧e\u{301}\r\n\u{10FFFF}\u{800}\u{D7FF}\u{FFFD}"
        let bytes = Array(text.utf8)
        var decoder = UTF8Stream()
        var out = ""
        for start in stride(from: 0, to: bytes.count, by: step) {
            out += decoder.decode(Array(bytes[start..<min(start + step, bytes.count)]))
        }
        #expect(out + decoder.finish() == text)
    }

    @Test("any bytes cut anywhere decode as they do in one piece")
    func decoderFuzz() {
        var random = SeededGenerator(seed: 7)
        let interesting: [UInt8] = [
            0x41, 0x80, 0xBF, 0xC2, 0xC0, 0xE0, 0xA0, 0xED, 0x9F, 0xF0, 0x90, 0xF4, 0x8F, 0xFF, 0xE2,
        ]
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                interesting[Int.random(in: 0..<interesting.count, using: &random)]
            }
            var decoder = UTF8Stream()
            var out = ""
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &random)
                out += decoder.decode(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(Array((out + decoder.finish()).utf8) == Array(String(decoding: bytes, as: UTF8.self).utf8))
        }
    }

    @Test("the ring keeps whole chunks of 192 KiB at most, the newest 256 KiB, and up to 1 MiB that somebody needs")
    func ring() {
        var ring = TerminalRing()
        ring.append(String(repeating: "€", count: 200_000))
        ring.append(String(repeating: "x", count: 5))
        #expect(ring.lastSeq == 4)
        #expect(ring.firstSeq == 2)
        #expect(ring.end == 600_005)
        for seq in ring.firstSeq...ring.lastSeq {
            let text = ring.chunk(seq)?.text ?? ""
            #expect(!text.isEmpty && text.utf8.count <= 192 * 1024 && !text.contains("\u{FFFD}"))
        }
        #expect((256 * 1024...448 * 1024).contains(ring.end - ring.start))
        #expect(ring.chunk(1) == nil)
        #expect(ring.chunk(5) == nil)

        let needed = ring.start
        ring.append(String(repeating: "y", count: 500_000), needed: needed)
        #expect(ring.firstSeq == 2)
        ring.append(String(repeating: "z", count: 500_000), needed: needed)
        #expect(ring.firstSeq > 2)
        #expect((800 * 1024...1024 * 1024).contains(ring.end - ring.start))
        ring.append("n")
        #expect((256 * 1024...448 * 1024).contains(ring.end - ring.start))
    }

    @Test("a chunk of characters that JSON escapes is as much shorter as it has to be for one message")
    func costlyChunks() {
        var ring = TerminalRing()
        for _ in 0..<10 { ring.append(String(repeating: "\u{1B}", count: 33_000)) }
        for seq in ring.firstSeq...ring.lastSeq {
            let history = TerminalHistory(
                chunks: [.init(seq: seq, data: ring.chunk(seq)?.text ?? "")],
                isTruncated: false,
                hasMore: false
            )
            let response = CommandResponse(id: "1", outcome: .success(history.wire))
            #expect((20_000...210_000).contains(response.envelope(form: .text).canonicalBytes.count))
        }
    }

    @Test("a hundred thousand chunks of a byte each stay few, and the newest of them")
    func tinyChunks() {
        var ring = TerminalRing()
        for index in 0..<100_000 {
            ring.append("\(index % 10)")
            ring.seal()
        }
        #expect(ring.lastSeq == 100_000)
        #expect(ring.firstSeq == 100_000 - Int64(TerminalRing.countLimit) + 1)
        #expect(ring.chunk(100_000)?.text == "9")
        #expect(ring.chunk(ring.firstSeq)?.text == "\((ring.firstSeq - 1) % 10)")
    }

    @Test("history begins at the number asked for, says what is gone, and fits into one message")
    func history() throws {
        var ring = TerminalRing()
        for text in ["a", "b", "c"] {
            ring.append(text)
            ring.seal()
        }
        #expect(
            TerminalHistory(of: ring, from: 2).wire
                == ["chunks": [["seq": 2, "data": "b"], ["seq": 3, "data": "c"]], "truncated": false]
        )
        #expect(TerminalHistory(of: ring, from: 4).wire == ["chunks": [], "truncated": false])
        for _ in 0..<10 { ring.append(String(repeating: "\u{1B}", count: 32 * 1024)) }
        let whole = TerminalHistory(of: ring, from: 1)
        #expect(whole.isTruncated && whole.hasMore && whole.chunks.first?.seq == ring.firstSeq)
        let newest = TerminalHistory(of: ring, from: 0)
        #expect(!newest.isTruncated && !newest.hasMore && newest.chunks.last?.seq == ring.lastSeq)
        for history in [whole, newest] {
            let response = CommandResponse(id: "1", outcome: .success(history.wire))
            #expect(response.envelope(form: .text).canonicalBytes.count <= 700_000)
            #expect(try TerminalHistory(wire: history.wire) == history)
        }
    }

    @Test("what is written while a phone takes nothing travels in few, large events")
    func coalescing() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        fixture.outlet.fill(ada)
        terminal.say("first")
        await fixture.outlet.somebodyBlocked()
        for index in 0..<1000 { terminal.say("line \(index)\r\n") }
        try await fixture.until { terminal.taken == 5 + (0..<1000).reduce(0) { $0 + "line \($1)\r\n".utf8.count } }
        fixture.outlet.empty(ada)
        #expect(await fixture.outlet.text(endingWith: "line 999\r\n", to: ada).hasPrefix("firstline 0\r\n"))
        #expect(sequence(of: fixture.outlet.sent(to: ada)) == [1, 2])
    }

    @Test("a flood waits for a slow phone within bounds, and nothing is lost")
    func flood() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        fixture.outlet.fill(ada)
        for _ in 0..<100 { terminal.say(block) }
        await fixture.clock.sleeper(for: TerminalSession.patience / TerminalSession.reminders)
        #expect(
            terminal.taken <= TerminalSession.waitingLimit + 2 * TerminalSession.readLimit + TerminalRing.chunkByteLimit
        )
        let before = try TerminalHistory(
            wire: try await fixture.call("terminal.history", ["sessionId": "s-1", "fromSeq": 1])
        )
        #expect(!before.isTruncated && before.chunks.first?.seq == 1)
        fixture.outlet.empty(ada)
        terminal.say("end")
        let text = await fixture.outlet.text(endingWith: "end", to: ada)
        #expect(text == String(repeating: block, count: 100) + "end")
        let numbers = sequence(of: fixture.outlet.sent(to: ada))
        #expect(numbers == Array(1...Int64(numbers.count)))
    }

    @Test("a phone that takes nothing for seconds does not stop the shell; history's window is whole")
    func stalled() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        fixture.outlet.fill(ada)
        terminal.say("begin\n")
        await fixture.outlet.somebodyBlocked()
        for _ in 0..<100 { terminal.say(block) }
        await fixture.outlastPatience()
        terminal.say("end")
        try await fixture.until { terminal.taken == 100 * block.utf8.count + 9 }
        let answer = try await fixture.call("terminal.history", ["sessionId": "s-1", "fromSeq": 1])
        let history = try TerminalHistory(wire: answer)
        #expect(history.isTruncated)
        let window = history.chunks.map(\.data).joined()
        #expect(("begin\n" + String(repeating: block, count: 100) + "end").hasSuffix(window))
        #expect((256 * 1024...448 * 1024).contains(window.utf8.count))
        let numbers = history.chunks.map(\.seq)
        #expect(numbers == Array((numbers.first ?? 0)...(numbers.last ?? 0)))
        // It takes again: what it gets from there on is in order, and ends with the newest.
        fixture.outlet.empty(ada)
        _ = await fixture.outlet.text(endingWith: "end", to: ada)
        let seen = sequence(of: fixture.outlet.sent(to: ada))
        #expect(seen == seen.sorted() && seen.last == numbers.last)
    }

    @Test("without anybody who listens the shell runs freely")
    func nobody() async throws {
        let fixture = TerminalFixture()
        fixture.outlet.setAway(ada)
        let terminal = try await fixture.create()
        for _ in 0..<200 { terminal.say(block) }
        try await fixture.until { terminal.taken == 200 * block.utf8.count }
    }

    @Test("one phone that is slow does not keep another from its output")
    func twoPhones() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        try await fixture.call("terminal.list", from: bo)
        fixture.outlet.fill(bo)
        terminal.say("begin\n")
        await fixture.outlet.somebodyBlocked()
        for _ in 0..<20 { terminal.say(block) }
        terminal.say("end")
        await fixture.outlastPatience()
        #expect(
            await fixture.outlet.text(endingWith: "end", to: ada) == "begin\n" + String(repeating: block, count: 20)
                + "end"
        )
        fixture.outlet.empty(bo)
    }

    @Test("a phone that says what it has shown is sent 176 KiB ahead of that, and no more")
    func acknowledged() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create(["acknowledges": true])
        for _ in 0..<40 { terminal.say(block) }
        terminal.say("end")
        await fixture.clock.sleeper(for: TerminalSession.patience / TerminalSession.reminders)
        let ahead = StallingOutlet.text(of: fixture.outlet.sent(to: ada)).utf8.count
        #expect(ahead <= TerminalSession.waitingLimit + TerminalRing.chunkByteLimit)
        #expect(terminal.taken < 40 * block.utf8.count)
        try await fixture.until {
            let sent = fixture.outlet.sent(to: ada)
            let ack: JSONValue = ["sessionId": "s-1", "seq": .integer(Int64(sent.count))]
            try await fixture.call("terminal.ack", ack)
            return StallingOutlet.text(of: sent).hasSuffix("end")
        }
        let text = await fixture.outlet.text(endingWith: "end", to: ada)
        #expect(text == String(repeating: block, count: 40) + "end")
    }

    @Test(
        "what a phone shows in 50 ms may be under way: 176 KiB at least, 640 KiB at most, and 96 KiB over a slow link"
    )
    func window() {
        let (_, wake) = AsyncStream.makeStream(of: Void.self)
        var subscriber = TerminalSubscriber(cursor: 1, shown: 0, wake: wake)
        #expect(subscriber.window == 176 * 1024)
        subscriber.acknowledge(100_000, at: .milliseconds(10))
        #expect(subscriber.window == 500_000)
        subscriber.acknowledge(100_000, at: .milliseconds(10))
        #expect(subscriber.window == 640 * 1024)
        subscriber.acknowledge(96 * 1024, at: .milliseconds(109))
        #expect(subscriber.window == 176 * 1024)
        // 1 Mbit/s.
        subscriber.acknowledge(96 * 1024, at: .milliseconds(109 + 786))
        #expect(subscriber.window == 96 * 1024)
        subscriber.acknowledge(96 * 1024, at: .milliseconds(109 + 786 + 20))
        #expect(subscriber.window == 240 * 1024)
    }

    @Test("when everything under way is lost, the newest of it comes again, so that the phone sees the gap")
    func reminder() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create(["acknowledges": true])
        for _ in 0..<40 { terminal.say(block) }
        terminal.say("end")
        await fixture.clock.sleeper(for: TerminalSession.patience / TerminalSession.reminders)
        try await fixture.until {
            StallingOutlet.text(of: fixture.outlet.sent(to: ada)).utf8.count >= TerminalSession.busyLimit
        }
        fixture.clock.advance(by: TerminalSession.patience / TerminalSession.reminders)
        try await fixture.until {
            let numbers = sequence(of: fixture.outlet.sent(to: ada))
            return Set(numbers).count < numbers.count
        }
        let numbers = sequence(of: fixture.outlet.sent(to: ada))
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count - 1)
        // It asks for what it missed: nothing of it is gone, and the flood goes on.
        let answer = try await fixture.call("terminal.history", ["sessionId": "s-1", "fromSeq": 1])
        let history = try TerminalHistory(wire: answer)
        #expect(!history.isTruncated && history.chunks.first?.seq == 1)
        let last = try #require(history.chunks.last?.seq)
        try await fixture.call("terminal.ack", ["sessionId": "s-1", "seq": .integer(last)])
        try await fixture.until { sequence(of: fixture.outlet.sent(to: ada)).contains(last + 1) }
    }

    @Test(
        "a phone that is busy showing gets what is written little by little in one piece, with its next acknowledgement"
    )
    func busy() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create(["acknowledges": true])
        let much = String(repeating: "x", count: TerminalSession.busyLimit - 1) + "!"
        terminal.say(much)
        _ = await fixture.outlet.text(endingWith: "!", to: ada)
        let count = fixture.outlet.sent(to: ada).count
        for _ in 0..<20 { terminal.say("little") }
        try await fixture.until { terminal.taken == much.utf8.count + 20 * 6 }
        try await fixture.call("terminal.list", ["subscribe": false])
        #expect(fixture.outlet.sent(to: ada).count == count)
        try await fixture.call("terminal.ack", ["sessionId": "s-1", "seq": .integer(Int64(count))])
        _ = await fixture.outlet.text(endingWith: "little", to: ada)
    }
}
