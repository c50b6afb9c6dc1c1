import ArgumentParser
import Testing

@testable import TandemCommands

@Suite("Secrets on standard input", .timeLimit(.minutes(4)))
struct TypedSecretTests {
    private static let asked = "The digits on the computer's screen:"
    private static let refusal = "More than 8192 bytes came through stdin. Give it the code's text only."

    /// Standard input that brings these pieces and ends.
    private func input(_ pieces: String...) -> AsyncStream<[UInt8]> {
        let (input, typing) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(8))
        for piece in pieces { typing.yield(Array(piece.utf8)) }
        typing.finish()
        return input
    }

    @Test("pair scan --text - takes everything up to the end, without the line break there")
    func scan() async throws {
        let scan = try Pair.Scan.parse(["--text", "-"])
        #expect(try await scan.payload(from: input(#" {"type":"#, #""x"}"#, "\n")) == #"{"type":"x"}"#)
        #expect(try await Pair.Scan.parse(["--text", "{}"]).payload(from: input("unread")) == "{}")
    }

    @Test("pair code without digits takes one line, and waits for no more")
    func code() async throws {
        let (input, typing) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(8))
        typing.yield(Array("482 913".utf8))
        typing.yield(Array(" 7306\nmore".utf8))
        let said = Said()
        let typed = try await Pair.Code.parse([]).typed(from: input, say: { said.write($0) })
        typing.finish()
        #expect(typed == "482 913 7306")
        // Only where the tests run on a terminal.
        #expect(said.all == [] || said.all == [Self.asked])
    }

    @Test(
        "a yes to the number is a line of its own, also behind the digits; anything else and the end of input are none",
        arguments: [
            ("482913\nyes\n", true), ("482913\n Y \n", true), ("482913\nno\n", false), ("482913\nyesterday\n", false),
            ("482913\n", false),
        ]
    )
    func confirmation(text: String, isYes: Bool) async throws {
        let (input, rest) = (input(text), TypedSecret.Rest())
        #expect(try await Pair.Code.parse([]).typed(from: input, behind: rest, say: { _ in }) == "482913")
        #expect(try await Pair.Code.isConfirmed(from: input, behind: rest, say: { _ in }) == isYes)
    }

    @Test("digits in the command line are taken from there")
    func digits() async throws {
        let said = Said()
        let code = try Pair.Code.parse(["482", "913", "7306"])
        #expect(try await code.typed(from: input("1111111111\n"), say: { said.write($0) }) == "4829137306")
        #expect(said.all == [])
    }

    @Test("a terminal is asked first, a pipe is not", arguments: [true, false])
    func question(canAsk: Bool) async throws {
        let said = Said()
        let line = try await TypedSecret.line(
            asking: Self.asked,
            from: input("4829137306"),
            canAsk: canAsk,
            say: { said.write($0) }
        )
        #expect(line == "4829137306")
        #expect(said.all == (canAsk ? [Self.asked] : []))
    }

    @Test("more than a code can be is refused")
    func tooMuch() async throws {
        let (most, more) = (String(repeating: "1", count: 8192), String(repeating: "1", count: 8193))
        #expect(try await TypedSecret.all(from: input(most)) == most)
        let all = await #expect(throws: CommandError.self) { try await TypedSecret.all(from: input(most, "1")) }
        #expect(all?.description == Self.refusal)
        let line = await #expect(throws: CommandError.self) {
            try await TypedSecret.line(asking: Self.asked, from: input(more), canAsk: false, say: { _ in })
        }
        #expect(line?.description == Self.refusal)
    }
}
