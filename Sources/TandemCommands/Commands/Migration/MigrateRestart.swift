import Control
import Kernel
import MigrationClient

/// The start of the phone's program that a move comes to, where the program starts itself again. The command that agreed to it waits, so that
/// what it prints is how it ended.
struct MigrateRestart {
    private static let pause = Duration.milliseconds(250)
    /// Three minutes: a role has 20 s to end, and a start that moves names into place takes seconds.
    private static let looks = 720
    /// A program that is about to end may take a question and not answer it.
    private static let patience = Duration.seconds(10)

    let client: ControlClient

    /// - Parameter answer: The state of the wizard once the person agreed, as it came.
    /// - Returns: The state behind the start, as it came; `answer` itself where the program is started by its owner.
    /// - Throws: ``CommandError/nothingPutIntoPlace(_:)``, ``CommandError/notStartedAgain``, ``CommandError/declined``.
    func followed(_ answer: JSONValue) async throws -> JSONValue {
        // What cannot be read is told where it is printed.
        guard let state = try? answer.decode(as: MigrationFlowState.self), state.canStartAgain, Self.isStarting(state)
        else { return answer }
        Output.complain("The phone's program starts again and puts it into place.")
        let end = try await first(of: MigrationControl.state) { !Self.isStarting($0) }
        let shown: MigrationFlowState = try end.forTerminal.controlAnswer()
        // None: it was taken back meanwhile, on the page or by another command.
        guard let start = shown.lastStart else { throw CommandError.declined }
        if let reason = start.failure { throw CommandError.nothingPutIntoPlace(reason) }
        return end
    }

    /// Whether a start of the program comes by itself.
    static func isStarting(_ state: MigrationFlowState) -> Bool { state.step == .ready && state.isAgreed }

    /// The first answer that is waited for, from the program that ends and starts again.
    ///
    /// - Throws: ``CommandError/notStartedAgain``; what the program refuses.
    func first<Answer>(
        of method: ControlMethod<NoControlParameters, Answer>,
        where isAwaited: (Answer) -> Bool
    ) async throws -> JSONValue {
        for _ in 0..<Self.looks {
            try await Running.console.pause(for: Self.pause)
            guard let wire = try await answer(to: method.asWire) else { continue }
            let answer: Answer = try wire.forTerminal.controlAnswer()
            if isAwaited(answer) { return wire }
        }
        throw CommandError.notStartedAgain
    }

    /// Nil while nobody answers: between the end of the program and its start nothing listens, and what listened is cut off.
    private func answer(to method: ControlMethod<NoControlParameters, JSONValue>) async throws -> JSONValue? {
        do {
            return try await withTimeout(Self.patience, on: .system, throwing: ControlError.connectionLost) {
                [client] in
                try await client.call(method, NoControlParameters())
            }
        } catch ControlError.refused(let reason) {
            throw ControlError.refused(reason)
        } catch {
            try Task.checkCancellation()
            return nil
        }
    }
}
