import AsyncAlgorithms
import Control
import Foundation
import Kernel
import Pairing

/// Shows codes on this terminal and asks its person about each device that wants to be paired.
struct PairingConsole: Sendable {
    private enum Input: Sendable {
        case event(PairingEvent)
        case line(String)
        /// The person types no more.
        case endOfLines
        /// The code is over, or what is asked failed.
        case end((any Error)?)
    }

    /// The running role.
    let caller: any ControlCaller
    let role: Role
    /// Whether codes go on being shown when one is over.
    let stays: Bool
    /// Prints a code.
    let show: @Sendable (CodeEntry) async throws -> Void

    /// Whether a person sits at this terminal and is not busy with something in its foreground.
    static var canAsk: Bool {
        let console = Running.console
        return console.isTerminal(.input) && console.isTerminal(.output) && console.isInForeground
    }

    /// Runs until the code is over, or its task is cancelled.
    ///
    /// - Throws: Why the code cannot be shown, or not any longer; ``ConsoleError`` when nothing can be written.
    func run(_ code: ShowCode) async throws {
        var dialogue = PairingDialogue(canAsk: Self.canAsk, stays: stays, role: role)
        // In the background reading fails then, which ends the asking, and does not stop the whole program.
        if dialogue.canAsk { signal(SIGTTIN, SIG_IGN) }
        let inputs = AsyncChannel<Input>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // A failure has to end the loop below, too: thrown here it would wait in the group unseen.
                do {
                    _ = try await caller.call(PairingControl.watch, code) { await inputs.send(.event($0)) }
                    await inputs.send(.end(nil))
                } catch {
                    await inputs.send(.end(error))
                }
            }
            if dialogue.canAsk { group.addTask { await Self.read(into: inputs) } }
            var failure: (any Error)?
            for await input in inputs {
                switch input {
                case .event(let event): try await perform(dialogue.take(event), &dialogue)
                case .line(let line): try await perform(dialogue.answer(line), &dialogue)
                case .endOfLines: dialogue.canAsk = false
                case .end(let reason):
                    failure = reason
                    inputs.finish()
                }
            }
            group.cancelAll()
            if let failure { throw failure }
        }
    }

    private func perform(_ actions: [PairingDialogue.Action], _ dialogue: inout PairingDialogue) async throws {
        var actions = actions[...]
        while let action = actions.popFirst() {
            switch action {
            case .say(let text): try Output.result(TerminalText.block(text))
            case .show(let code): try await show(code)
            case .call(let decision):
                var failure: String?
                do {
                    switch decision {
                    case .newCode: _ = try await caller.call(PairingControl.show, ShowCode())
                    case .accept(let acceptance): _ = try await caller.call(PairingControl.accept, acceptance)
                    case .reject(let request): _ = try await caller.call(PairingControl.reject, request)
                    }
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
