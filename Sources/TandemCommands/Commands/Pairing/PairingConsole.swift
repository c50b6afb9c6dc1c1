import AsyncAlgorithms
import Foundation
import Kernel

/// Shows codes on this terminal and asks its person about each device that wants to be paired.
struct PairingConsole: Sendable {
    typealias Report = @Sendable (JSONValue) async throws -> Void

    private enum Input: Sendable {
        case event(JSONValue)
        case line(String)
        /// The person types no more.
        case endOfLines
        case end
    }

    let role: Role
    /// Whether codes go on being shown when one is over.
    let stays: Bool
    /// What the running role is asked with.
    let call: @Sendable (_ method: String, _ params: JSONValue, _ report: @escaping Report) async throws -> JSONValue
    /// Prints a code.
    let show: @Sendable (JSONValue) async throws -> Void

    /// Whether a person sits at this terminal and is not busy with something in its foreground.
    static var canAsk: Bool {
        let console = Running.console
        return console.isTerminal(.input) && console.isTerminal(.output) && console.isInForeground
    }

    /// Runs until the code is over, or its task is cancelled.
    func run(_ params: JSONValue) async throws {
        var dialogue = PairingDialogue(canAsk: Self.canAsk, stays: stays, role: role)
        // In the background reading fails then, which ends the asking, and does not stop the whole program.
        if dialogue.canAsk { signal(SIGTTIN, SIG_IGN) }
        let inputs = AsyncChannel<Input>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await call("pair.watch", params) { await inputs.send(.event($0)) }
                await inputs.send(.end)
            }
            if dialogue.canAsk { group.addTask { await Self.read(into: inputs) } }
            for await input in inputs {
                switch input {
                case .event(let event): try await perform(dialogue.take(event), &dialogue)
                case .line(let line): try await perform(dialogue.answer(line), &dialogue)
                case .endOfLines: dialogue.canAsk = false
                case .end: inputs.finish()
                }
            }
            group.cancelAll()
        }
    }

    private func perform(_ actions: [PairingDialogue.Action], _ dialogue: inout PairingDialogue) async throws {
        var actions = actions[...]
        while let action = actions.popFirst() {
            switch action {
            case .say(let text): try Output.result(TerminalText.block(text))
            case .show(let code): try await show(code)
            case .call(let method, let params):
                var failure: String?
                do {
                    _ = try await call(method, params) { _ in }
                } catch let error as CancellationError {
                    throw error
                } catch {
                    failure = "\(error)"
                }
                actions = dialogue.done(with: failure) + actions
            }
        }
    }

    private static func read(into inputs: AsyncChannel<Input>) async {
        var line: [UInt8] = []
        for await piece in StandardInput() {
            for byte in piece {
                if byte == UInt8(ascii: "\n") {
                    await inputs.send(.line(String(decoding: line, as: UTF8.self)))
                    line = []
                } else if line.count < 256 {
                    line.append(byte)
                }
            }
        }
        await inputs.send(.endOfLines)
    }
}
