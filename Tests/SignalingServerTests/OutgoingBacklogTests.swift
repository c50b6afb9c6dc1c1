import NIOCore
import Testing

@testable import SignalingServer

@Suite("What waits for a reader that is behind", .timeLimit(.minutes(4)))
struct OutgoingBacklogTests {
    private func frame(_ byte: UInt8, count: Int) -> ByteBuffer { ByteBuffer(repeating: byte, count: count) }

    private func drained(_ backlog: inout OutgoingBacklog) -> ByteBuffer {
        var bytes = ByteBuffer()
        while let piece = backlog.popFirst() { bytes.writeImmutableBuffer(piece) }
        return bytes
    }

    @Test("comes out as it went in, whatever the sizes, and counts what it costs")
    func order() {
        var backlog = OutgoingBacklog()
        var expected = ByteBuffer()
        for (index, count) in [1, 100_000, 32_768, 7, 65_536, 32_767].enumerated() {
            backlog.append(frame(UInt8(index), count: count))
            expected.writeRepeatingByte(UInt8(index), count: count)
        }
        #expect(backlog.byteCount >= expected.readableBytes)
        #expect(backlog.byteCount < expected.readableBytes + 64 * 1024)
        #expect(drained(&backlog) == expected)
        #expect(backlog.byteCount == 0)
    }

    @Test("dropping keeps the rest of a frame that was begun, and nothing else")
    func dropping() {
        var backlog = OutgoingBacklog()
        backlog.append(frame(1, count: 80_000))
        backlog.append(frame(2, count: 50_000))
        var sent = backlog.popFirst() ?? ByteBuffer()
        backlog.dropUnstarted()
        sent.writeImmutableBuffer(drained(&backlog))
        #expect(sent == frame(1, count: 80_000))
    }

    @Test("dropping drops everything when no frame was begun, or the last one given out was whole")
    func droppingWhole() {
        var untouched = OutgoingBacklog()
        untouched.append(frame(1, count: 80_000))
        untouched.dropUnstarted()
        #expect(untouched.byteCount == 0)
        #expect(untouched.popFirst() == nil)

        var even = OutgoingBacklog()
        even.append(frame(1, count: 32 * 1024))
        even.append(frame(2, count: 100))
        #expect(even.popFirst() == frame(1, count: 32 * 1024))
        even.dropUnstarted()
        #expect(even.popFirst() == nil)
    }
}
