import Kernel
import Synchronization
import Testing

@testable import PortForwarding

/// A local end that a test reads and writes.
final class ScriptedEnd: PortEnd {
    private let input = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1024))
    private let writing: LatestValue<Bool>
    let written = LatestValue<[UInt8]>([])
    let writes = LatestValue(0)
    let finished = LatestValue(false)
    let closed = LatestValue(false)

    /// - Parameter takes: Whether what is written is taken at once.
    init(takes: Bool = true) { writing = LatestValue(takes) }

    func type(_ bytes: [UInt8]) { input.continuation.yield(bytes) }
    func typeEnd() { input.continuation.finish() }
    func take() { writing.set(true) }

    func read() async throws -> [UInt8]? {
        for await bytes in input.stream { return bytes }
        if closed.value { throw PortError.ended(.closed) }
        return nil
    }

    func write(_ bytes: [UInt8]) async throws {
        for await takes in writing.values() where takes { break }
        if closed.value { throw PortError.ended(.closed) }
        written.update { $0 += bytes }
        writes.update { $0 += 1 }
    }

    func finish() async throws { finished.set(true) }

    func close(broken: Bool) {
        closed.set(true)
        input.continuation.finish()
        writing.set(true)
    }
}

@Suite("One end of a forwarded connection", .timeLimit(.minutes(1)))
struct PortStreamTests {
    private let stream = PortStream(PortStreamID(instance: 1, number: 1), port: 3000)
    private let sent = LatestValue<[PortFrame]>([], capacity: 1)

    private func frame(_ offset: Int64, _ content: PortFrame.Content) -> PortFrame {
        PortFrame(stream.id, offset: offset, content)
    }

    private func run(_ local: ScriptedEnd, _ body: @Sendable () async throws -> Void) async rethrows
        -> PortStream.Cut?
    {
        async let cut = stream.run(local) { [sent] frame in sent.update { $0.append(frame) } }
        try await body()
        return await cut
    }

    @Test("what arrives out of order is put in order, each byte once, and both directions end by themselves")
    func order() async {
        let local = ScriptedEnd()
        stream.open(upTo: 100)
        let cut = await run(local) { [stream, sent] in
            for (offset, text) in [(3, "def"), (0, "abc"), (6, "g")] {
                stream.take(PortFrame(stream.id, offset: Int64(offset), .data(Array(text.utf8)[...])))
            }
            stream.take(PortFrame(stream.id, offset: 7, .end))
            local.type(Array("hello".utf8))
            local.typeEnd()
            for await done in local.finished.values() where done { break }
            for await frames in sent.values() where frames.count == 2 { break }
        }
        #expect(cut == nil)
        #expect(local.written.value == Array("abcdefg".utf8))
        #expect(sent.value == [frame(0, .data(Array("hello".utf8)[...])), frame(5, .end)])
    }

    @Test("it sends no further than it may, and goes on when it may more")
    func credit() async {
        let local = ScriptedEnd()
        stream.open(upTo: 4)
        let cut = await run(local) { [stream, sent] in
            local.type(Array("abcdefgh".utf8))
            local.typeEnd()
            for await frames in sent.values() where !frames.isEmpty { break }
            #expect(sent.value.count == 1)
            stream.take(PortFrame(stream.id, offset: 100, .window))
            stream.take(PortFrame(stream.id, offset: 0, .end))
        }
        #expect(cut == nil)
        #expect(
            sent.value == [
                frame(0, .data(Array("abcd".utf8)[...])), frame(4, .data(Array("efgh".utf8)[...])), frame(8, .end),
            ]
        )
    }

    @Test("a reader that takes nothing is sent no more than the window, and what is beyond it cuts the connection")
    func window() async {
        let local = ScriptedEnd(takes: false)
        stream.open(upTo: 4)
        let cut = await run(local) { [stream] in
            let piece = [UInt8](repeating: 1, count: PortLimits.frameBytes)[...]
            for number in 0..<(PortLimits.window / PortLimits.frameBytes) {
                stream.take(
                    PortFrame(stream.id, offset: Int64(number * PortLimits.frameBytes), .data(piece))
                )
            }
            #expect(stream.waitingBytes == PortLimits.window)
            stream.take(PortFrame(stream.id, offset: Int64(PortLimits.window), .data([1])))
        }
        #expect(cut == PortStream.Cut(reason: .badFrame, isOwn: true))
        #expect(local.closed.value)
    }

    @Test("pieces that overlap are not kept beyond the window: they cut the connection")
    func overlapping() async {
        let local = ScriptedEnd()
        stream.open(upTo: 4)
        let cut = await run(local) { [stream] in
            let piece = [UInt8](repeating: 1, count: PortLimits.frameBytes)[...]
            for offset in 1...Int64(2 * PortLimits.window / PortLimits.frameBytes) {
                stream.take(PortFrame(stream.id, offset: offset, .data(piece)))
                #expect(stream.waitingBytes <= PortLimits.window)
            }
        }
        #expect(cut == PortStream.Cut(reason: .badFrame, isOwn: true))
    }

    @Test("pieces that lie under what arrived meanwhile count as well")
    func covered() async {
        let local = ScriptedEnd(takes: false)
        stream.open(upTo: 4)
        let cut = await run(local) { [stream] in
            let piece = [UInt8](repeating: 1, count: PortLimits.frameBytes)[...]
            for offset in 1...2 { stream.take(PortFrame(stream.id, offset: Int64(offset), .data(piece))) }
            for number in 0..<(PortLimits.window / PortLimits.frameBytes) {
                stream.take(PortFrame(stream.id, offset: Int64(number * PortLimits.frameBytes), .data(piece)))
                #expect(stream.waitingBytes <= PortLimits.window)
            }
        }
        #expect(cut == PortStream.Cut(reason: .badFrame, isOwn: true))
    }

    @Test("early crumbs are bounded in number, too: each costs more than its bytes")
    func earlyCrumbs() async {
        let local = ScriptedEnd()
        stream.open(upTo: 4)
        let cut = await run(local) { [stream] in
            for number in 0...Int64(PortLimits.earlyPieces) {
                stream.take(PortFrame(stream.id, offset: 1 + 2 * number, .data([1])))
            }
        }
        #expect(cut == PortStream.Cut(reason: .badFrame, isOwn: true))
    }

    @Test("crumbs that wait for a slow reader are kept together, in their order")
    func crumbs() async {
        let local = ScriptedEnd(takes: false)
        stream.open(upTo: 4)
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let cut = await run(local) { [stream, sent] in
            for (offset, byte) in bytes.enumerated() {
                stream.take(PortFrame(stream.id, offset: Int64(offset), .data([byte])))
            }
            stream.take(PortFrame(stream.id, offset: Int64(bytes.count), .end))
            local.take()
            local.typeEnd()
            for await done in local.finished.values() where done { break }
            for await frames in sent.values() where !frames.isEmpty { break }
        }
        #expect(cut == nil)
        #expect(local.written.value == bytes)
        // The reader may have begun with any of them.
        #expect(local.writes.value <= 2)
    }

    @Test("a reset of the other end cuts it, and nothing is answered")
    func reset() async {
        let local = ScriptedEnd()
        stream.open(upTo: 4)
        let cut = await run(local) { [stream] in
            stream.take(PortFrame(stream.id, offset: 0, .reset(.notAllowed)))
        }
        #expect(cut == PortStream.Cut(reason: .notAllowed, isOwn: false))
        #expect(sent.value.isEmpty)
        #expect(local.closed.value)
    }
}
