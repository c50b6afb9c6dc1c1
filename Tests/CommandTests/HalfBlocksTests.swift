import Testing

@testable import TandemCommands

@Suite("Pictures as half blocks")
struct HalfBlocksTests {
    private static let red: [UInt8] = [255, 0, 0]
    private static let blue: [UInt8] = [0, 0, 255]

    @Test("a character is two pixels, and equal neighbours name their colours once")
    func rows() throws {
        let pixels = Self.red + Self.red + Self.blue + Self.blue + Self.red + Self.blue
        let picture = try #require(HalfBlocks(width: 2, height: 3, pixels: pixels))
        #expect(
            picture.rows(.direct) == [
                "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀▀\u{1B}[0m",
                "\u{1B}[38;2;255;0;0;49m▀\u{1B}[38;2;0;0;255;49m▀\u{1B}[0m",
            ]
        )
        #expect(picture.rows(.cube).first == "\u{1B}[38;5;196;48;5;21m▀▀\u{1B}[0m")
    }

    @Test("pixels that are not as many as the edges say are no picture")
    func wrong() {
        #expect(HalfBlocks(width: 2, height: 2, pixels: Self.red) == nil)
        #expect(HalfBlocks(width: 0, height: 0, pixels: []) == nil)
    }

    @Test("colours are those that the terminal has and the person wants")
    func palette() {
        func palette(_ environment: [String: String], terminal: Bool = true) -> HalfBlocks.Palette? {
            .of(TestConsole(environment: environment, terminals: terminal ? [.output] : []))
        }
        #expect(palette(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) == .direct)
        #expect(palette(["TERM": "tmux-direct"]) == .direct)
        #expect(palette(["TERM": "screen-256color"]) == .cube)
        #expect(palette(["TERM": "vt100"]) == nil)
        #expect(palette(["TERM": "dumb", "COLORTERM": "truecolor"]) == nil)
        #expect(palette(["TERM": "xterm-256color", "NO_COLOR": "1"]) == nil)
        #expect(palette(["TERM": "xterm-256color"], terminal: false) == nil)
    }
}
