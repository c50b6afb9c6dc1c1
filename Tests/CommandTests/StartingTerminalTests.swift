import Foundation
import Testing

@testable import TandemCommands

@Suite("The terminal that a role was started on", .timeLimit(.minutes(4)))
struct StartingTerminalTests {
    @Test("it is hung up once its window is closed, and not before")
    func hungUp() throws {
        let window = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(window >= 0)
        var lock: Int32 = 0
        var number: UInt32 = 0
        // TIOCSPTLCK and TIOCGPTN, which Swift does not see.
        let isUnlocked = ioctl(window, UInt(0x4004_5431), &lock) == 0
        let isNumbered = ioctl(window, UInt(0x8004_5430), &number) == 0
        try #require(isUnlocked && isNumbered)
        let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let terminal = StartingTerminal(descriptor)
        #expect(!terminal.isHungUp)
        close(window)
        #expect(terminal.isHungUp)
    }
}
