import Kernel
import Logging
import Testing

@testable import TandemCommands

@Suite("Log lines on a terminal", .timeLimit(.minutes(4)))
struct TerminalLogTests {
    private static let hostile = "Ada\u{1B}]0;root\u{7}\n2026-01-01 notice tandem: \u{202E}forged"
    private static let escaped = "Ada\\e]0;root\\a\\n2026-01-01 notice tandem: \\u202eforged"

    private struct Peer: Error, CustomStringConvertible {
        var description: String
    }

    /// What is written for one message, without the time at its start.
    private func line(_ write: (inout Logger) -> Void) throws -> String {
        let said = Said()
        var logger = Logger(label: "tandem", factory: { TerminalLogHandler(label: $0, stream: said) })
        write(&logger)
        let text = try #require(said.all.first)
        #expect(said.all.count == 1)
        return String(text.drop { $0 != " " })
    }

    @Test("a message with what a peer said is one row that acts on nothing")
    func message() throws {
        let line = try line { $0.notice("\(Self.hostile)") }
        #expect(line == " notice tandem: \(Self.escaped)\n")
    }

    @Test("so is its metadata, whatever it is made of")
    func metadata() throws {
        let line = try line {
            let peer = Peer(description: Self.hostile)
            $0.notice("asked", metadata: ["name": "\(Self.hostile)", "peer": .stringConvertible(peer)])
        }
        #expect(line == " notice tandem: asked (name=\(Self.escaped) peer=\(Self.escaped))\n")
    }

    @Test("who looks into the program is told the module, too, and an error as a value")
    func module() throws {
        let line = try line {
            $0.logLevel = .debug
            $0.error("not done", error: Peer(description: "full"))
        }
        #expect(line == " error tandem: not done (error=full module=CommandTests)\n")
    }

    @Test("lists and objects in metadata are no way around it")
    func nested() throws {
        let line = try line {
            $0.notice(
                "asked",
                metadata: ["names": ["\(Self.hostile)"], "peer": ["name": ["\(Self.hostile)"]]]
            )
        }
        let left: [Unicode.Scalar] = line.unicodeScalars.filter(TerminalText.isUnsafe)
        #expect(left == ["\n"])
        #expect(line.hasPrefix(" notice tandem: asked (names=["))
        // Once for the list, once for the object.
        #expect(line.ranges(of: "root").count == 2)
    }

    @Test("metadata that a logger keeps is made safe as well")
    func kept() throws {
        let line = try line {
            $0[metadataKey: "device"] = "\(Self.hostile)"
            $0.notice("asked")
        }
        #expect(line == " notice tandem: asked (device=\(Self.escaped))\n")
    }
}
