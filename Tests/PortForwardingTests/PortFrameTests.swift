import Testing

@testable import PortForwarding

@Suite("Frames of forwarded ports")
struct PortFrameTests {
    private static let stream = PortStreamID(instance: 0x0102_0304_0506_0708, number: 9)

    @Test(
        "each kind comes back as it was written",
        arguments: [
            PortFrame.Content.open(port: 3000), .opened, .data([1, 2, 3]), .end, .window, .reset(.idle),
            .refused(code: -32010, reason: "no"),
        ]
    )
    func roundTrip(content: PortFrame.Content) {
        let frame = PortFrame(Self.stream, offset: 70_000, content)
        #expect(PortFrame(frame.bytes)?.bytes == frame.bytes)
        #expect(PortFrame(frame.bytes)?.stream == Self.stream)
        #expect(PortFrame(frame.bytes)?.offset == 70_000)
    }

    @Test("the bytes are those of the protocol's description")
    func bytes() {
        let open = PortFrame(Self.stream, offset: 262_144, .open(port: 3000))
        #expect(
            open.bytes == [2, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 9, 0, 0, 0, 0, 0, 4, 0, 0, 0x0B, 0xB8]
        )
    }

    @Test("what is no frame is read as none")
    func malformed() {
        let good = PortFrame(Self.stream, offset: 1, .data([1])).bytes
        for length in 0..<good.count { #expect(PortFrame(Array(good.prefix(length))) == nil) }
        for (index, byte) in [(0, UInt8(1)), (1, 2), (2, 0), (2, 8), (15, 0xFF)] {
            var bad = good
            bad[index] = byte
            #expect(PortFrame(bad) == nil)
        }
        #expect(PortFrame(PortFrame(Self.stream, offset: 0, .open(port: 0)).bytes) == nil)
        let long = [UInt8](repeating: 0, count: PortLimits.frameBytes + 1)[...]
        #expect(PortFrame(PortFrame(Self.stream, offset: 0, .data(long)).bytes) == nil)
    }
}
