import Foundation
import QRCodes
import Testing

@Suite("QR rendering", .timeLimit(.minutes(4)))
struct RenderingTests {
    /// Light but for three modules: the first two of the first row, and the first of the second.
    private static func corner() throws -> QRMatrix {
        var modules = Array(repeating: false, count: 441)
        modules[0] = true
        modules[1] = true
        modules[21] = true
        return try QRMatrix(side: 21, darkModules: modules)
    }

    private static func lines(_ text: String) -> [String] { text.components(separatedBy: "\n") }

    @Test("a coloured line sets both colours and resets them before it ends")
    func colouredLine() throws {
        let text = QRTerminalRenderer(style: .coloured, quietZone: 2).render(try Self.corner())
        let lines = Self.lines(text)
        #expect(lines.count == 14)
        #expect(lines.last == "")
        #expect(lines[0] == "\u{1B}[38;5;16;48;5;231m" + String(repeating: " ", count: 25) + "\u{1B}[0m")
        #expect(lines[1] == "\u{1B}[38;5;16;48;5;231m  █▀" + String(repeating: " ", count: 21) + "\u{1B}[0m")
    }

    @Test("on a light background dark modules are drawn, on a dark one the light modules")
    func plainStyles() throws {
        let matrix = try Self.corner()
        let dark = QRTerminalRenderer(style: .plain(lightBackground: true), quietZone: 0).render(matrix)
        #expect(Self.lines(dark).first == "█▀" + String(repeating: " ", count: 19))
        let light = QRTerminalRenderer(style: .plain(lightBackground: false), quietZone: 0).render(matrix)
        #expect(Self.lines(light).first == " ▄" + String(repeating: "█", count: 19))
        #expect(!light.contains("\u{1B}"))
    }

    @Test(
        "the blocks are the modules, whatever the style",
        arguments: [
            QRTerminalRenderer.Style.coloured, .plain(lightBackground: true), .plain(lightBackground: false),
        ]
    )
    func blocks(style: QRTerminalRenderer.Style) throws {
        let modules = (0..<625).map { $0 * $0 % 7 < 3 }
        let matrix = try QRMatrix(side: 25, darkModules: modules)
        let lines = Self.lines(QRTerminalRenderer(style: style, quietZone: 2).render(matrix)).dropLast()
        let inkIsDark = style != .plain(lightBackground: false)
        for (index, line) in lines.enumerated() {
            // What is between the colour codes, if there are any.
            let drawn = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            for (column, block) in drawn.enumerated() {
                let top = block == "█" || block == "▀"
                let bottom = block == "█" || block == "▄"
                #expect((top == inkIsDark) == matrix.isDark(column: column - 2, row: index * 2 - 2))
                #expect((bottom == inkIsDark) == matrix.isDark(column: column - 2, row: index * 2 - 1))
            }
        }
        #expect(lines.count == 15)
    }

    @Test("an odd number of rows ends in a line whose lower half is light")
    func oddRows() throws {
        let matrix = try QRMatrix(side: 21, darkModules: Array(repeating: true, count: 441))
        let text = QRTerminalRenderer(style: .plain(lightBackground: true), quietZone: 0).render(matrix)
        #expect(Self.lines(text).dropLast().last == String(repeating: "▀", count: 21))
    }

    @Test("the room a code takes is known before it is drawn", arguments: [0, 2, 4])
    func measures(quietZone: Int) throws {
        let matrix = try Self.corner()
        let renderer = QRTerminalRenderer(style: .plain(lightBackground: true), quietZone: quietZone)
        let lines = Self.lines(renderer.render(matrix)).dropLast()
        #expect(lines.count == renderer.lines(for: matrix))
        #expect(lines.allSatisfy { $0.count == renderer.columns(for: matrix) })
    }

    @Test("SVG draws each dark run once, on its own white ground")
    func vector() throws {
        #expect(
            QRVectorRenderer().render(try Self.corner()) == """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29" shape-rendering="crispEdges" role="img" \
                aria-label="QR code"><rect width="29" height="29" fill="#fff"/>\
                <path d="M4 4h2v1h-2zM4 5h1v1h-1z" fill="#000"/></svg>

                """
        )
    }
}
