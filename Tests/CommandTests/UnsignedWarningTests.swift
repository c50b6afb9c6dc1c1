import ArgumentParser
import Clipboard
import Kernel
import Rights
import Terminal
import Testing

@testable import TandemCommands

@Suite("Rights for phones that prove nothing", .timeLimit(.minutes(4)))
struct UnsignedWarningTests {
    private static let warning =
        "Warning: nothing proves who sends these commands. Whoever is on this computer's network and pretends to be "
        + "this phone will be able to use clipboard, terminal. Do this only on a network where you trust every device, "
        + "and not behind a proxy or port forwarding."
    private static let rights: Set<Right> = [.terminal, .clipboard]

    @Test("after the warning y or yes goes on", arguments: ["y", "Y", "yes", "YES"])
    func yes(answer: String) async throws {
        let said = Said()
        try await UnsignedWarning.confirm(Self.rights, canAsk: true, say: { said.write($0) }, answer: { answer })
        #expect(said.all == [Self.warning, "Go on? [y/N]"])
    }

    @Test("every other answer stops it, also the end of input", arguments: ["", "n", "no", "sure", nil] as [String?])
    func no(answer: String?) async {
        let said = Said()
        await #expect(throws: CommandError.declined) {
            try await UnsignedWarning.confirm(Self.rights, canAsk: true, say: { said.write($0) }, answer: { answer })
        }
        #expect(said.all == [Self.warning, "Go on? [y/N]"])
    }

    @Test("without a terminal it warns, asks nothing and goes on")
    func noTerminal() async throws {
        let said = Said()
        try await UnsignedWarning.confirm(Self.rights, canAsk: false, say: { said.write($0) }, answer: { "no" })
        #expect(said.all == [Self.warning])
    }

    @Test("what was allowed and stays refused is named, with the command that changes it")
    func stillRefused() throws {
        let phone: JSONValue = ["id": "phone-7", "name": "Old phone", "stillRefused": ["file.write", "terminal"]]
        let refused = UnsignedWarning.stillRefused(try Sample.of(phone))
        #expect(
            refused
                == "Old phone cannot seal, so this is still refused unless it signs its commands: file.write terminal. "
                + "To allow it unsigned on this computer's own network: "
                + "tandem devices allow 'Old phone' file.write terminal --unsigned"
        )
        #expect(try UnsignedWarning.stillRefused(Sample.of(phone.adding("stillRefused", []))) == nil)
    }
}
