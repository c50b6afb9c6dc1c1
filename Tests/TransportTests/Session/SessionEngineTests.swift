import KernelTesting
import Sealing
import SignalingTesting
import Testing

@testable import Transport

@Suite("The session engine", .timeLimit(.minutes(4)))
struct SessionEngineTests {
    private func connected(
        seed: UInt64 = 1,
        timing: SessionTiming = SessionTiming()
    ) throws -> SessionSimulation {
        var simulation = SessionSimulation(seed: seed, timing: timing)
        simulation.raise(0)
        simulation.raise(1)
        simulation.run(for: .seconds(1))
        try #require(simulation.phone.engine.state == .connected(path: .lan))
        try #require(simulation.desktop.engine.state == .connected(path: .lan))
        return simulation
    }

    private func numbered(_ range: Range<UInt8>) -> [[UInt8]] { range.map { [$0] } }

    @Test("a link without an answer is connecting, without a link it is not connected")
    func states() {
        var simulation = SessionSimulation(seed: 1)
        #expect(simulation.phone.engine.state == .notConnected)
        simulation.paths[0].isSilent = true
        simulation.raise(0)
        simulation.paths[0].isSilent = true
        #expect(simulation.phone.engine.state == .connecting)
        simulation.cut(0)
        #expect(simulation.phone.engine.state == .notConnected)
    }

    @Test("both links are kept up and the better one carries the messages")
    func bestLink() throws {
        var simulation = try connected()
        for number in UInt8(0)..<5 { simulation.send([number], from: .phone) }
        let took = simulation.run(within: .seconds(1)) { $0.desktop.received.count == 5 }
        // The relay takes 40 ms.
        #expect(try #require(took) < .milliseconds(10))
        #expect(simulation.desktop.received == numbered(0..<5))
        #expect(simulation.phone.engine.links.values.allSatisfy { $0.health == .answering })
    }

    @Test("a LAN that falls silent is left within a second, and nothing is lost", arguments: 1..<20)
    func silentFailover(seed: Int) throws {
        var simulation = try connected(seed: UInt64(seed))
        simulation.run(for: .milliseconds(seed * 997))
        simulation.paths[0].isSilent = true
        for number in UInt8(0)..<20 {
            simulation.send([number], from: .phone)
            simulation.send([number], from: .desktop)
        }
        let took = simulation.run(within: .seconds(5)) {
            $0.desktop.received.count == 20 && $0.phone.received.count == 20
        }
        #expect(try #require(took) < .seconds(1))
        #expect(simulation.desktop.received == numbered(0..<20))
        #expect(simulation.phone.received == numbered(0..<20))
        #expect(simulation.phone.engine.state == .connected(path: .relay))
    }

    @Test("a connection that stalls again and again is left within a second every time", arguments: 1..<6)
    func stalls(seed: Int) throws {
        var simulation = try connected(seed: UInt64(seed))
        for round in UInt8(0)..<30 {
            simulation.run(for: .milliseconds(seed * 997))
            simulation.stall(0)
            simulation.send([round], from: .phone)
            let asked = simulation.run(within: .seconds(60)) { $0.desktop.received.count == Int(round) + 1 }
            simulation.send([round], from: .desktop)
            let answered = simulation.run(within: .seconds(60)) { $0.phone.received.count == Int(round) + 1 }
            #expect(try #require(asked) + #require(answered) < .seconds(1))
            #expect(simulation.phone.engine.state == .connected(path: .relay))
            // How long a stall takes says nothing about the next one.
            simulation.run(for: .seconds(Int(round) * 7))
            simulation.goOn(0)
            let back = simulation.run(within: .seconds(60)) { $0.phone.engine.state == .connected(path: .lan) }
            #expect(try #require(back) < .milliseconds(50))
        }
        #expect(simulation.desktop.received == numbered(0..<30))
        #expect(simulation.phone.received == numbered(0..<30))
    }

    @Test("when every link stalled, the first that goes on brings at once what lies in the other", arguments: 1..<12)
    func bothStalled(seed: Int) throws {
        var simulation = try connected(seed: UInt64(seed))
        simulation.run(for: .milliseconds(seed * 997))
        // As in a household with a lossy radio: its TCP connection waits for seconds, and then the relay's line stalls too.
        simulation.stall(0)
        var expected: [[UInt8]] = []
        func talk(_ count: Int) {
            for _ in 0..<count {
                expected.append(Array("\(expected.count)".utf8))
                simulation.send(expected[expected.count - 1], from: .desktop)
                simulation.run(for: .milliseconds(50))
            }
        }
        talk(20)
        simulation.stall(1)
        talk(80)
        let told = simulation.phone.received.count
        #expect(told < expected.count)
        simulation.goOn(0)
        let took = simulation.run(within: .seconds(20)) { $0.phone.received.count >= expected.count }
        #expect(simulation.phone.received == expected)
        #expect(try #require(took) < .seconds(1))
    }

    @Test("while an answer is awaited a link that stalls is left within a second, though everything was acknowledged")
    func stallBeforeTheAnswer() throws {
        var simulation = try connected()
        simulation.send([1], from: .phone)
        simulation.run(for: .milliseconds(60))
        simulation.phone.engine.setAnswerAwaited(true, now: simulation.now)
        simulation.run(for: .seconds(7))
        simulation.stall(0)
        let left = simulation.run(within: .seconds(5)) { $0.phone.engine.state == .connected(path: .relay) }
        #expect(try #require(left) < .seconds(1))
    }

    @Test("a machine that slept asks all its links at once, and does not take its sleep for their silence")
    func resume() throws {
        var simulation = try connected()
        simulation.run(for: .seconds(30))
        let probes = CapturedFrames()
        simulation.capture = { side, frame in if side == .phone { probes.append(frame) } }
        // The timer that was set comes an hour late.
        simulation.now += .seconds(3600)
        simulation.settle()
        #expect(probes.frames.count == 2)
        #expect(simulation.phone.engine.state == .connected(path: .lan))
        simulation.run(for: .milliseconds(100))
        #expect(simulation.phone.engine.links.values.allSatisfy { $0.health == .answering })

        // Both links died meanwhile: known as soon as their answers stay out.
        simulation.run(for: .seconds(30))
        simulation.paths[0].isSilent = true
        simulation.paths[1].isSilent = true
        simulation.now += .seconds(3600)
        simulation.settle()
        let known = simulation.run(within: .seconds(5)) { $0.phone.engine.state == .connecting }
        #expect(try #require(known) <= .milliseconds(500))
    }

    @Test("a link that became slow is used again, and not given up for each of its answers")
    func slowLink() throws {
        var simulation = try connected()
        simulation.cut(1)
        simulation.paths[0].latency = .milliseconds(400)
        for number in UInt8(0)..<40 {
            simulation.send([number], from: .phone)
            simulation.run(for: .seconds(2))
        }
        #expect(simulation.desktop.received == numbered(0..<40))
        let states = (0..<20).map { _ -> PeerConnectionState in
            simulation.send([100], from: .phone)
            simulation.run(for: .milliseconds(700))
            return simulation.phone.engine.state
        }
        #expect(states.allSatisfy { $0 == .connected(path: .lan) })
    }

    @Test("a LAN that is cut is left at once")
    func cutFailover() throws {
        var simulation = try connected()
        simulation.paths[0].latency = .milliseconds(30)
        for number in UInt8(0)..<20 { simulation.send([number], from: .phone) }
        simulation.run(for: .milliseconds(10))
        simulation.cut(0)
        let took = simulation.run(within: .seconds(1)) { $0.desktop.received.count == 20 }
        // One way over the relay, and nothing else.
        #expect(try #require(took) <= .milliseconds(40))
        #expect(simulation.desktop.received == numbered(0..<20))
    }

    @Test("a LAN that answers again carries the messages again")
    func backToTheBetterLink() throws {
        var simulation = try connected()
        simulation.paths[0].isSilent = true
        simulation.send([1], from: .phone)
        simulation.run(for: .seconds(30))
        #expect(simulation.phone.engine.state == .connected(path: .relay))
        simulation.paths[0].isSilent = false
        let back = simulation.run(within: .seconds(10)) { $0.phone.engine.state == .connected(path: .lan) }
        #expect(try #require(back) <= .seconds(5))
        simulation.send([2], from: .phone)
        let took = simulation.run(within: .seconds(1)) { $0.desktop.received.count == 2 }
        #expect(try #require(took) < .milliseconds(10))
    }

    @Test("a new link after an outage needs no handshake and brings what waited")
    func sessionOutlivesLinks() throws {
        var simulation = try connected()
        simulation.cut(0)
        simulation.cut(1)
        #expect(simulation.phone.engine.state == .notConnected)
        for number in UInt8(0)..<10 { simulation.send([number], from: .desktop) }
        simulation.run(for: .seconds(3600))
        simulation.raise(1)
        simulation.run(for: .seconds(1))
        #expect(simulation.phone.received == numbered(0..<10))
        #expect(simulation.phone.handshakes == 1)
    }

    @Test("the second handshake rests on the first session, and without its ticket it is a full one")
    func resumption() throws {
        var simulation = try connected()
        let log = Captured()
        simulation.capture = { _, frame in
            if case .handshake(_, let pattern, 1, _, _) = frame { log.append(pattern) }
        }
        simulation.restart(.phone)
        simulation.run(for: .seconds(1))
        #expect(Set(log.values) == ["IKpsk2"])
        #expect(simulation.phone.engine.state == .connected(path: .lan))

        simulation.desktop.disk.ticket = nil
        simulation.restart(.phone)
        simulation.run(for: .seconds(1))
        #expect(simulation.phone.engine.state == .connected(path: .lan))
        #expect(log.values.last == "IK")
    }

    @Test("a responder that lost the session says so, and the next one is ready within a second")
    func unknownSession() throws {
        var simulation = try connected()
        simulation.restart(.desktop)
        simulation.send([7], from: .phone)
        let took = simulation.run(within: .seconds(5)) { $0.desktop.received == [[7]] }
        #expect(try #require(took) < .seconds(1))
        #expect(simulation.phone.handshakes == 2)
    }

    @Test("a responder that loses the session twice within a second is back a second after the first time")
    func unknownTwice() throws {
        var simulation = try connected()
        for number in UInt8(1)...2 {
            simulation.restart(.desktop)
            simulation.send([number], from: .phone)
            let took = simulation.run(within: .seconds(10)) { $0.desktop.received.last == [number] }
            #expect(try #require(took) <= .milliseconds(1050))
        }
    }

    @Test("a better link that comes up while a handshake waits on a slow one begins it anew at once")
    func linkDuringHandshake() throws {
        var simulation = try connected()
        simulation.cut(0)
        simulation.restart(.desktop)
        simulation.send([7], from: .phone)
        let begun = simulation.run(within: .seconds(5)) { $0.phone.engine.attempt != nil }
        #expect(begun != nil)
        simulation.stall(1)
        simulation.run(for: .milliseconds(300))
        #expect(simulation.phone.engine.attempt != nil)
        simulation.raise(0)
        let took = simulation.run(within: .seconds(10)) { $0.desktop.received == [[7]] }
        #expect(try #require(took) < .milliseconds(50))
        #expect(simulation.phone.engine.state == .connected(path: .lan))
    }

    @Test("forged notices start at most one handshake a second and end nothing")
    func forgedNotices() throws {
        var simulation = try connected()
        let link = try #require(simulation.paths[0].link)
        for _ in 0..<200 {
            simulation.phone.engine.receive(.notice(.unnamed, .unknownSession), on: link, now: simulation.now)
            simulation.phone.engine.receive(.notice(.unnamed, .noResumption), on: link, now: simulation.now)
            simulation.run(for: .milliseconds(10))
        }
        #expect(simulation.phone.handshakes <= 4)
        #expect(simulation.phone.engine.state == .connected(path: .lan))
    }

    @Test("a replayed message 1 displaces nothing")
    func replayedHandshake() throws {
        var simulation = SessionSimulation(seed: 3)
        let log = CapturedFrames()
        simulation.capture = { side, frame in if side == .phone { log.append(frame) } }
        simulation.raise(0)
        simulation.run(for: .seconds(1))
        let first = try #require(log.frames.first { if case .handshake = $0 { true } else { false } })
        let session = simulation.desktop.engine.current?.id
        let link = try #require(simulation.paths[0].link)
        simulation.desktop.receive(first, on: link, now: simulation.now)
        simulation.run(for: .seconds(1))
        #expect(simulation.desktop.engine.pending == nil)
        // Even where the counter was lost, the old session goes on until a record of the new one comes.
        simulation.desktop.disk.counter = 0
        simulation.desktop.receive(first, on: link, now: simulation.now)
        simulation.send([9], from: .phone)
        simulation.run(for: .seconds(1))
        #expect(simulation.desktop.engine.current?.id == session)
        #expect(simulation.desktop.received == [[9]])
    }

    @Test("repeated records deliver nothing")
    func replayedRecords() throws {
        var simulation = try connected()
        let log = CapturedFrames()
        simulation.capture = { side, frame in if side == .phone { log.append(frame) } }
        for number in UInt8(0)..<5 { simulation.send([number], from: .phone) }
        simulation.run(for: .seconds(1))
        let link = try #require(simulation.paths[0].link)
        for frame in log.frames { simulation.desktop.receive(frame, on: link, now: simulation.now) }
        simulation.run(for: .seconds(1))
        #expect(simulation.desktop.received == numbered(0..<5))
    }

    @Test("compact records, which name no session, are read")
    func compactRecords() throws {
        var simulation = try connected()
        let link = try #require(simulation.paths[0].link)
        simulation.paths[0].isSilent = true
        let log = CapturedFrames()
        simulation.capture = { side, frame in if side == .phone { log.append(frame) } }
        simulation.send([5], from: .phone)
        for case .record(_, let generation, let sequence, let ciphertext) in log.frames {
            let compact = LinkFrame.record(
                nil,
                generation: generation & 0xFF,
                sequence: sequence,
                ciphertext: ciphertext
            )
            simulation.desktop.receive(compact, on: link, now: simulation.now)
        }
        simulation.settle()
        #expect(simulation.desktop.received == [[5]])
    }

    @Test("keys change every quarter of an hour and the session every day, without a message lost")
    func aging() throws {
        var timing = SessionTiming()
        timing.idleProbe = .seconds(600)
        var simulation = try connected(timing: timing)
        var sent: [[UInt8]] = []
        for hour in UInt8(0)..<60 {
            sent.append([hour])
            simulation.send([hour], from: hour.isMultiple(of: 2) ? .phone : .desktop)
            simulation.run(for: .seconds(3600))
        }
        #expect(simulation.desktop.received == sent.filter { $0[0].isMultiple(of: 2) })
        #expect(simulation.phone.received == sent.filter { !$0[0].isMultiple(of: 2) })
        #expect(simulation.phone.handshakes == 3)
    }

    @Test("a reader that stops makes the sender wait within the bounds, and loses nothing")
    func slowReader() throws {
        var simulation = try connected()
        simulation.desktop.isReading = false
        let message = [UInt8](repeating: 7, count: 50_000)
        var taken = 0
        for _ in 0..<400 where simulation.send(message, from: .phone) != nil {
            taken += 1
            simulation.run(for: .milliseconds(5))
        }
        // 8 MiB not acknowledged, and 1 MiB acknowledged ahead of the reader.
        #expect(taken < 200)
        #expect(simulation.desktop.engine.inbox.byteCount < 10 << 20)
        simulation.run(for: .seconds(60))
        #expect(simulation.send(message, from: .phone) == nil)
        simulation.desktop.isReading = true
        simulation.run(for: .seconds(60))
        #expect(simulation.desktop.received.count == taken)
        #expect(simulation.phone.engine.outbox.isEmpty)
    }

    @Test("a peer that ignores the window cannot fill the memory")
    func hostileSender() {
        var inbox = Inbox(cursor: 0)
        inbox.begin(.random())
        let bytes = [UInt8](repeating: 0, count: 700_000)
        for number in UInt64(2)..<100 { _ = inbox.arrive(number: number, durable: 0, bytes: bytes) }
        #expect(inbox.byteCount <= 16 << 20)
        #expect(inbox.arrive(number: 1_000_000, durable: 0, bytes: []) == .dropped)
        #expect(inbox.arrive(number: 1, durable: 0, bytes: bytes) == .ready)
        #expect(inbox.take()?.bytes.count == 700_000)
    }

    @Test("good-bye ends the session on both sides, and the next start brings what was not read")
    func close() throws {
        var simulation = try connected()
        let link = try #require(simulation.paths[0].link)
        let farewell = simulation.desktop.engine.close(now: simulation.now)
        let frame = try #require(farewell?.1)
        simulation.phone.receive(frame, on: link, now: simulation.now)
        #expect(simulation.phone.engine.state == .notConnected)
        #expect(simulation.desktop.engine.state == .closed)
        simulation.send([3], durable: true, from: .phone)
        simulation.restart(.desktop)
        simulation.run(for: .seconds(10))
        #expect(simulation.desktop.received == [[3]])
    }

    @Test("an idle session sends little")
    func idle() throws {
        var simulation = try connected()
        let before = simulation.sentFrames[.phone] ?? 0
        simulation.run(for: .seconds(3600))
        // A question and an answer on each link every 20 s.
        #expect((simulation.sentFrames[.phone] ?? 0) - before < 4 * 200)
    }

    @Test("whatever arrives, nothing breaks and nothing is delivered", arguments: 0..<4)
    func fuzz(seed: Int) throws {
        var simulation = try connected(seed: UInt64(seed))
        var generator = SeededGenerator(seed: UInt64(seed))
        let log = CapturedFrames()
        simulation.capture = { _, frame in log.append(frame) }
        simulation.send([1], from: .phone)
        simulation.send([2], from: .desktop)
        simulation.run(for: .seconds(1))
        let link = try #require(simulation.paths[0].link)
        for _ in 0..<500 {
            let frame = mutated(log.frames.randomElement(using: &generator), using: &generator)
            simulation.phone.receive(frame, on: link, now: simulation.now)
            simulation.desktop.receive(frame, on: link, now: simulation.now)
            simulation.run(for: .milliseconds(20))
        }
        simulation.send([3], from: .phone)
        simulation.run(for: .seconds(5))
        #expect(simulation.desktop.received == [[1], [3]])
        #expect(simulation.phone.received == [[2]])
    }

    private func mutated(_ frame: LinkFrame?, using generator: inout SeededGenerator) -> LinkFrame {
        func flipped(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            guard let index = bytes.indices.randomElement(using: &generator) else { return [0] }
            if generator.chance(0.2) { return Array(bytes.prefix(index)) }
            bytes[index] ^= UInt8.random(in: 1...255, using: &generator)
            return bytes
        }
        switch frame {
        case .handshake(let id, let pattern, let index, let resumption, let bytes):
            return .handshake(id, pattern: pattern, index: index, resumption: resumption, bytes: flipped(bytes))
        case .record(let id, let generation, let sequence, let ciphertext):
            return .record(
                generator.chance(0.5) ? id : nil,
                generation: generation &+ UInt32.random(in: 0...2, using: &generator),
                sequence: sequence &+ UInt64.random(in: 0...3, using: &generator),
                ciphertext: flipped(Array(ciphertext))[...]
            )
        default:
            return .notice(.random(), generator.chance(0.5) ? .unknownSession : .noResumption)
        }
    }
}

/// What a simulation's tap saw.
final class CapturedFrames {
    private(set) var frames: [LinkFrame] = []
    func append(_ frame: LinkFrame) { frames.append(frame) }
}

final class Captured {
    private(set) var values: [String] = []
    func append(_ value: String) { values.append(value) }
}
