import ArgumentParser
import CommandClient
import Commands
import Control
import Kernel

/// The options of every command that either side answers: a phone about one of its computers, or a computer about itself.
struct SideOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @OptionGroup var side: RoleOptions

    @OptionGroup var target: ComputerOptions

    @Option(help: ArgumentHelp("Seconds to wait for the answer, 1 to 3600.", valueName: "seconds"))
    var timeout: Int?

    func validate() throws {
        if let timeout, !(1...3600).contains(timeout) {
            throw ValidationError("--timeout is in seconds, 1 to 3600, not \(timeout).")
        }
    }

    /// The running role: a phone first, where both run.
    ///
    /// - Parameters:
    ///   - calls: What carries the feature's methods.
    ///   - own: Why a computer is not asked about another one, as the beginning of a sentence.
    func peer(_ calls: ControlMethod<MethodCall, JSONValue>, own: String) async throws -> ControlPeer {
        let role = try await side.role(among: [.phone, .desktop], global)
        guard role == .phone || target.computer == nil else {
            throw ValidationError("\(own): --computer is for --role phone.")
        }
        return ControlPeer(
            global.client(for: role),
            role: role,
            computer: target.computer,
            timeout: timeout,
            calls: calls,
            keeps: .last
        )
    }

    /// Prints an answer: with `--json` as it came, else in lines for a person.
    ///
    /// - Parameter refusal: Why nothing was done, for an answer that says so: the command fails in both forms.
    func show<Answer>(
        _ peer: ControlPeer,
        _ ask: (ControlPeer) async throws -> Answer,
        refusal: (Answer) -> String? = { _ in nil },
        _ lines: (Answer) throws -> String
    ) async throws {
        let answer = try await ask(peer)
        let reason = refusal(answer)
        if global.json {
            try Output.json(peer.lastAnswer ?? .null)
        } else if reason == nil {
            try Output.result(try lines(answer))
        }
        if let reason { throw CommandError.empty(TerminalText.line(reason)) }
    }
}
