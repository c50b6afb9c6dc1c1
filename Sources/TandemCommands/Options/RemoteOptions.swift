import ArgumentParser
import Commands
import Control
import Kernel

/// The choice of one of a phone's computers.
struct ComputerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The computer's name or id. Default: the only one that is paired.", valueName: "name"))
    var computer: String?
}

/// The options of every command that asks a paired computer, from the phone's side.
struct RemoteOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @OptionGroup var target: ComputerOptions

    @Option(help: ArgumentHelp("Seconds to wait for the answer, 1 to 3600.", valueName: "seconds"))
    var timeout: Int = 30

    func validate() throws {
        guard (1...3600).contains(timeout) else {
            throw ValidationError("--timeout is in seconds, 1 to 3600, not \(timeout).")
        }
    }

    var client: ControlClient { global.client(for: .phone) }

    /// The computer, for the features' clients. It keeps what it is answered where that is printed.
    var peer: ControlPeer {
        ControlPeer(client, computer: target.computer, timeout: timeout, keeps: global.json ? .all : .none)
    }

    /// Asks one thing of the computer and prints the answer: with `--json` as it came, also one that only the asking program can read,
    /// else in lines for a person.
    func show<Answer>(
        _ ask: (ControlPeer) async throws -> Answer,
        _ lines: (Answer) throws -> String
    ) async throws {
        guard !global.json else { return try Output.json(try await answer(to: ask)) }
        try Output.result(try lines(try await ask(peer)))
    }

    /// The computer's answer to one question as it came.
    func answer<Answer>(to ask: (ControlPeer) async throws -> Answer) async throws -> JSONValue {
        let peer = ControlPeer(client, computer: target.computer, timeout: timeout, keeps: .last)
        do {
            _ = try await ask(peer)
        } catch RemoteError.malformedResult {
            // It came, and is not for this program to judge.
        }
        guard let answer = peer.lastAnswer else { throw RemoteError.malformedResult }
        return answer
    }
}
