import Dispatch
import KernelTesting
import Testing

@testable import LinuxNotifications

@Suite("The files of pictures that programs name", .timeLimit(.minutes(1)))
struct ClaimedPicturesTests {
    @Test("a file that cannot be read is waited for two seconds, no other meanwhile, and afterwards all are read again")
    func stuck() async {
        let clock = ManualClock()
        let gate = DispatchSemaphore(value: 0)
        let pictures = ClaimedPictures(time: clock) { path in
            if path == "/hung/picture.png" { gate.wait() }
            return [1]
        }
        async let stuck = pictures.bytes(at: "/hung/picture.png")
        await clock.sleepers()
        clock.advance(by: ClaimedPictures.patience)
        let answer = await stuck
        #expect(answer == nil)
        // At once: the clock stands still.
        #expect(await pictures.bytes(at: "/other.png") == nil)
        gate.signal()
        var other: [UInt8]?
        while !Task.isCancelled, other == nil {
            other = await pictures.bytes(at: "/other.png")
            await Task.yield()
        }
        #expect(other == [1])
    }
}
