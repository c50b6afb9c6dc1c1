import CommandClient
import CommandServer
import Commands
import FeatureTesting
import Kernel
import KernelTesting
import Logging
import Storage
import Testing

@testable import PortForwarding
@testable import PortForwardingHost

/// The listeners of a computer, which count how often somebody looks at them.
private final class CountedPorts: ListeningPorts {
    let looks = LatestValue(0)
    let isTandem = LatestValue(false)

    func listening() -> [ListeningPort] { [] }

    func isOfTandem(_ port: Int) -> Bool {
        looks.update { $0 += 1 }
        return isTandem.value
    }
}

/// What becomes of a connection on which nothing goes, at a phone and a computer whose clocks a test moves.
@Suite("A connection through a port that stands still", .timeLimit(.minutes(1)))
struct PortHoldTests {
    /// A phone's end of one connection, whose frames the test reads as the computer would.
    private struct Phone {
        let clock = ManualClock()
        let sent = Broadcaster<PortFrame>()
        let part: PortForwarder

        init() {
            let context = ComputerContext(
                id: "pc",
                call: { _, _, _, _ in throw RemoteError.notConnected },
                sendFrame: { [sent] bytes in if let frame = PortFrame(bytes) { sent.send(frame) } }
            )
            part = PortForwarder(context, time: clock, changes: Broadcaster(capacity: 1))
        }

        /// Opens a connection, and runs it over `local` for the length of `body`.
        func open(_ local: ScriptedEnd, _ body: (PortStream, inout AsyncStream<PortFrame>.Iterator) async -> Void)
            async throws
        {
            var frames = sent.subscribe().makeAsyncIterator()
            async let opening = part.connect(to: 3000)
            let asked = try #require(await frames.next())
            await part.receive(frame: PortFrame(asked.stream, offset: 1000, .opened).bytes)
            let stream = try await opening
            async let run: Void = part.run(stream, local)
            await body(stream, &frames)
            await part.close()
            await run
        }

        /// Moves the clock, in the steps in which the phone looks.
        func pass(minutes: Int) async {
            for _ in 0..<minutes {
                await clock.sleeper(for: .seconds(60))
                clock.advance(by: .seconds(60))
            }
            await clock.sleeper(for: .seconds(60))
        }
    }

    @Test("a phone holds it for hours, and tells the computer so every ten minutes")
    func held() async throws {
        let (phone, local) = (Phone(), ScriptedEnd())
        try await phone.open(local) { stream, frames in
            for _ in 0..<18 {
                await phone.pass(minutes: 10)
                let frame = await frames.next()
                #expect(frame == PortFrame(stream.id, offset: Int64(PortLimits.window), .window))
            }
            #expect(!local.closed.value)
            local.type([7])
            let frame = await frames.next()
            #expect(frame?.content == .data([7]))
        }
    }

    @Test("a phone gives up what leads to a computer that it did not reach for a quarter of an hour, and no sooner")
    func away() async throws {
        let (phone, local) = (Phone(), ScriptedEnd())
        try await phone.open(local) { stream, frames in
            await phone.part.lost()
            await phone.pass(minutes: 14)
            await phone.part.reached()
            await phone.pass(minutes: 10)
            #expect(!local.closed.value)
            await phone.part.lost()
            await phone.part.lost()
            await phone.pass(minutes: 15)
            for await isClosed in local.closed.values() where isClosed { break }
            // The computer is told once it is there.
            while let frame = await frames.next() {
                guard frame.content != .reset(.away) else { break }
            }
        }
    }

    @Test("who listens is looked at once for what a page asks for at once, and a second later again")
    func lookedAtOnce() async throws {
        let (clock, ports) = (ManualClock(), CountedPorts())
        let skill = PortsSkill(
            try StateDatabase.inMemory(schema: []),
            listening: ports,
            outlet: ScriptedOutlet(),
            time: clock,
            logger: Logger(label: "test")
        )
        for _ in 0..<3 { try await skill.checkOwn(3000) }
        try await skill.checkOwn(3001)
        #expect(ports.looks.value == 2)
        ports.isTandem.set(true)
        try await skill.checkOwn(3000)
        clock.advance(by: .seconds(1))
        for _ in 0..<2 {
            await #expect(throws: PortError.ownPort(3000)) { try await skill.checkOwn(3000) }
        }
        #expect(ports.looks.value == 4)
        await skill.close()
    }

    @Test("a computer ends it an hour after it heard of the phone last, and what the phone tells of it counts")
    func gone() {
        let clock = ManualClock()
        let stream = PortStream(PortStreamID(instance: 1, number: 1), port: 3000, time: clock)
        clock.advance(by: .seconds(3500))
        stream.take(stream.holding)
        clock.advance(by: PortLimits.idle - .seconds(1))
        #expect(clock.now - stream.touchedAt < PortLimits.idle)
        clock.advance(by: .seconds(1))
        #expect(clock.now - stream.touchedAt == PortLimits.idle)
    }
}
