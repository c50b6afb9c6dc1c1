import Foundation
import Rights
import Testing

@Suite("The catalogue of rights", .timeLimit(.minutes(4)))
struct RightTests {
    @Test("a new phone may see how the computer is and be told things, and nothing else")
    func initial() {
        #expect(Right.initial == [.systemInformation, .notification])
    }

    @Test("names are read one by one, with commas between, and file stands for both rights over files")
    func names() throws {
        #expect(try Right.list(["clipboard,display", "terminal"]) == [.clipboard, .display, .terminal])
        #expect(try Right.list(["file"]) == [.fileRead, .fileWrite])
        #expect(try Right.list(["file.read", "file.read,"]) == [.fileRead])
        for right in Right.allCases { #expect(try Right.list([right.rawValue]) == [right]) }
    }

    @Test(
        "a list with anything that is no right is refused whole, and the refusal names it and lists all rights",
        arguments: ["files-write", "rm", "TERMINAL", "history", "terminal;", "*", "all"]
    )
    func unknown(name: String) throws {
        let error = try #require(throws: RightsError.self) { try Right.list(["terminal", name]) }
        #expect(error == .unknown(name))
        #expect(error.description.contains(name))
        for right in Right.allCases { #expect(error.description.contains(right.rawValue)) }
    }

    @Test("no name at all is refused too", arguments: [[], [""], [" , "]])
    func none(texts: [String]) {
        #expect(throws: RightsError.none) { try Right.list(texts) }
    }

    @Test("a name of any length costs a short refusal")
    func longNames() throws {
        let error = try #require(throws: RightsError.self) { try Right.list([String(repeating: "x", count: 1 << 20)]) }
        #expect(error.description.utf8.count < 400)
    }

    @Test("records of before keep what is still a right, and values of other versions give nothing")
    func stored() {
        #expect(Right.stored(["file", "history", "terminal", "everything"]) == [.fileRead, .fileWrite, .terminal])
        #expect(Right.stored(["rm -rf /", ""]) == [])
    }

    @Test("each right says what it amounts to, and the catalogue lists each on a line of its own")
    func meanings() {
        let lines = Right.catalogue().split(separator: "\n")
        #expect(lines.count == Right.allCases.count)
        #expect(Set(Right.allCases.map(\.meaning)).count == Right.allCases.count)
        for (line, right) in zip(lines, Right.allCases) {
            #expect(line.hasPrefix("  \(right.rawValue) ") && line.hasSuffix("  \(right.meaning)"))
        }
    }
}
