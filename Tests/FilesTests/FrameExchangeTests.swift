import KernelTesting
import Testing

@testable import Commands
@testable import Transfers

@Suite("Frames of files that are asked for", .timeLimit(.minutes(4)))
struct FrameExchangeTests {
    private let clock = ManualClock()
    private let frame = TransferFrame(transfer: TransferID(), offset: 0, content: .want(count: 4))

    private func exchange() -> (FrameExchange, AsyncStream<[UInt8]>) {
        let (sent, post) = AsyncStream.makeStream(of: [UInt8].self)
        return (FrameExchange(time: clock, limit: .seconds(30)) { post.yield($0) }, sent)
    }

    /// Each second's look is over when the next one is waited for.
    private func pass(_ seconds: Int) async {
        for _ in 0..<seconds {
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .seconds(1))
        }
        await clock.sleeper(for: .seconds(1))
    }

    @Test("what was lost with its link is asked for again a second after the desktop is reached again")
    func reconnect() async throws {
        let (exchange, sent) = exchange()
        var frames = sent.makeAsyncIterator()
        let answer = Task { try await exchange.answer(to: frame) }
        #expect(await frames.next() == frame.bytes)
        await clock.sleeper(for: .seconds(1))
        await exchange.desktopLost()
        // Longer than an answer may take, but nobody could answer.
        await pass(60)
        await exchange.desktopReached()
        await pass(1)
        #expect(await frames.next() == frame.bytes)
        var data = frame
        data.content = .data([1, 2, 3, 4])
        await exchange.receive(data)
        #expect(try await answer.value == .data([1, 2, 3, 4]))
        await exchange.endWaits()
    }

    @Test("after ten seconds without any frame the same is asked again, and after thirty the wait ends")
    func silence() async throws {
        let (exchange, sent) = exchange()
        var frames = sent.makeAsyncIterator()
        let answer = Task { try await exchange.answer(to: frame) }
        #expect(await frames.next() == frame.bytes)
        await pass(10)
        #expect(await frames.next() == frame.bytes)
        await pass(10)
        #expect(await frames.next() == frame.bytes)
        for _ in 0..<10 {
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .seconds(1))
        }
        await #expect(throws: RemoteError.self) { try await answer.value }
        await exchange.endWaits()
    }

    @Test("a desktop that stays away for two minutes is not waited for any longer")
    func absence() async throws {
        let (exchange, sent) = exchange()
        var frames = sent.makeAsyncIterator()
        let answer = Task { try await exchange.answer(to: frame) }
        #expect(await frames.next() == frame.bytes)
        await clock.sleeper(for: .seconds(1))
        await exchange.desktopLost()
        for _ in 0..<120 {
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .seconds(1))
        }
        await #expect(throws: RemoteError.notConnected) { try await answer.value }
        await exchange.endWaits()
    }
}
