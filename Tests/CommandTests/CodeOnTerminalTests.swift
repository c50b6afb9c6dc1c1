import Kernel
import Pairing
import Testing

@testable import TandemCommands

@Suite("Codes in a window", .timeLimit(.minutes(4)))
struct CodeOnTerminalTests {
    private static let typed = "482 913 7306. It is good for five minutes and one device."
    private let shown: CodeEntry

    init() throws { shown = try Sample.of(["payload": #"{"type":"desktop-pairing","code":"482913"}"#]) }

    private func text(_ columns: Int, _ rows: Int, role: Role = .desktop) throws -> String {
        try CodeOnTerminal.text(shown, role: role, size: (columns: columns, rows: rows))
    }

    /// The room that is asked for, as the sentence says it.
    private func room() throws -> (columns: Int, rows: Int) {
        let sentence = try text(20, 10)
        let numbers = try #require(sentence.firstMatch(of: /needs a window of (\d+) columns and (\d+) lines;/))
        return (try #require(Int(numbers.1)), try #require(Int(numbers.2)))
    }

    @Test("a window that is too small gets a sentence with --png, and the digits to type")
    func small() throws {
        let (columns, rows) = try room()
        #expect(columns > 20)
        #expect(rows > 10)
        #expect(
            try text(20, 10) == """
                The code to scan needs a window of \(columns) columns and \(rows) lines; this one has 20
                and 10. Make it larger, or its letters smaller, and show a new code; or see the
                code on the page, or make a picture of it:
                  tandem page --role desktop
                  tandem pair show --role desktop --png code.png
                Or type on the phone: \(Self.typed)
                """
        )
        #expect(try text(20, 10, role: .phone).contains("\n  tandem pair show --role phone --png code.png"))
    }

    @Test("a window with just the room gets the code; one column or line less does not")
    func enough() throws {
        let (columns, rows) = try room()
        let drawn = try text(columns, rows)
        #expect(drawn.hasSuffix("Scan this with the phone, or type there: \(Self.typed)"))
        #expect(!drawn.contains("--png"))
        #expect(drawn.split(separator: "\n", omittingEmptySubsequences: false).count < rows)
        let start = "The code to scan needs a window of \(columns) columns and \(rows) lines"
        #expect(try text(columns - 1, rows).hasPrefix(start))
        #expect(try text(columns, rows - 1).hasPrefix(start))
        // Into a file or a pipe it is drawn always, with the border that a window gives it where it has the room.
        let usual = try CodeOnTerminal.text(shown, role: .desktop, size: nil)
        #expect(try text(columns + 2, rows + 1) == usual)
        #expect(try text(columns + 1, rows + 1) == drawn)
    }
}
