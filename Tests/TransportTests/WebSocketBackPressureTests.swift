import Testing

@testable import Transport

@Suite("When a WebSocket is not read for a while", .timeLimit(.minutes(4)))
struct WebSocketBackPressureTests {
    @Test("so many bytes stop the socket, and it goes on when a quarter of them is left")
    func bytes() {
        let buffered = BufferedBytes()
        var pressure = WebSocketBackPressure(messages: 1000, bytes: 1000, buffered: buffered)
        func yields(_ depth: Int) -> Bool { pressure.didYield(bufferDepth: depth) }
        func consumes(_ depth: Int) -> Bool { pressure.didConsume(bufferDepth: depth) }
        func arrive(_ count: Int, depth: Int) -> Bool {
            buffered.add(count)
            return yields(depth)
        }
        func take(_ count: Int, depth: Int) -> Bool {
            // The bytes of a message are counted until its reader has it.
            defer { buffered.subtract(count) }
            return consumes(depth)
        }
        #expect(arrive(400, depth: 1))
        #expect(arrive(400, depth: 2))
        #expect(!arrive(400, depth: 3))
        #expect(!take(400, depth: 2))
        #expect(!take(400, depth: 1))
        #expect(take(400, depth: 0))
        #expect(buffered.count == 0)
        #expect(arrive(100, depth: 1))
        #expect(!arrive(900, depth: 2))
        #expect(!take(100, depth: 1))
        buffered.subtract(800)
        #expect(consumes(1))
    }

    @Test("one message longer than all that may wait is handed on, and stops nothing once it is taken")
    func longMessage() {
        let buffered = BufferedBytes()
        var pressure = WebSocketBackPressure(messages: 8, bytes: 10, buffered: buffered)
        func yields(_ depth: Int) -> Bool { pressure.didYield(bufferDepth: depth) }
        func consumes(_ depth: Int) -> Bool { pressure.didConsume(bufferDepth: depth) }
        buffered.add(1_000_000)
        // A reader that waits takes it at once.
        #expect(yields(0))
        #expect(!yields(1))
        #expect(consumes(0))
    }

    @Test("so many messages stop the socket, however short, and it goes on when a quarter of them is left")
    func messages() {
        var pressure = WebSocketBackPressure(messages: 8, bytes: .max, buffered: BufferedBytes())
        func yields(_ depth: Int) -> Bool { pressure.didYield(bufferDepth: depth) }
        func consumes(_ depth: Int) -> Bool { pressure.didConsume(bufferDepth: depth) }
        for depth in 1..<8 { #expect(yields(depth)) }
        #expect(!yields(8))
        for depth in (2..<8).reversed() { #expect(!consumes(depth)) }
        #expect(consumes(1))
    }
}
