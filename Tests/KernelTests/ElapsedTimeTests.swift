import Foundation
import Kernel
import KernelTesting
import Testing

@Suite("Time counted from a beginning, and ids", .timeLimit(.minutes(4)))
struct ElapsedTimeTests {
    @Test("sleeps until a time of any clock")
    func sleeps() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(3))
        let time = ElapsedTime(clock)
        #expect(time.now() == .zero)
        async let slept: Void = time.sleep(until: .seconds(5))
        await clock.sleeper(for: .seconds(5))
        clock.advance(by: .seconds(5))
        try await slept
        #expect(time.now() == .seconds(5))
    }

    @Test("a random id is a UUID of version 4 and variant 1, in small letters, and another each time")
    func uuid() throws {
        var seen: Set<String> = []
        for _ in 0..<1000 {
            let text = UUID.randomText()
            let parsed = try #require(UUID(uuidString: text))
            #expect(parsed.uuidString.lowercased() == text)
            #expect(parsed.uuid.6 >> 4 == 4)
            #expect(parsed.uuid.8 >> 6 == 2)
            seen.insert(text)
        }
        #expect(seen.count == 1000)
    }
}
