import Kernel
import Testing

@testable import CommandServer

@Suite("Requests that run for one asker")
struct RunningRequestsTests {
    @Test("they are bounded by what they take in memory, and one alone always runs")
    func bytes() throws {
        var running = RunningRequests(countLimit: 64)
        // A mebibyte of text, and a third of a million numbers.
        let request = try JSONValue(parsing: Array(("[" + String(repeating: "1, ", count: 340_000) + "1]").utf8))
        let size = request.roughByteCount
        #expect(size > 10 << 20)
        var count = 0
        while running.hasRoom(for: size), count < 100 {
            running.begin(size)
            count += 1
        }
        #expect(count == 3 && running.bytes <= running.byteLimit)
        for _ in 0..<count { running.end(size) }
        #expect(running.count == 0 && running.bytes == 0)
        #expect(running.hasRoom(for: 2 * running.byteLimit))
        running.begin(2 * running.byteLimit)
        #expect(!running.hasRoom(for: 1))
    }

    @Test("small ones are bounded by their number")
    func count() {
        var running = RunningRequests(countLimit: 2)
        running.begin(1)
        #expect(running.hasRoom(for: 1))
        running.begin(1)
        #expect(!running.hasRoom(for: 1))
        running.end(1)
        #expect(running.hasRoom(for: 1))
    }
}
