import FeatureTesting
import Terminal
import TerminalHost

/// Shells that tests play, each use of them noted.
final class RecordingTerminals: PseudoTerminalFactory {
    private let terminals = FakeTerminals()
    private let log: EffectLog

    init(log: EffectLog) { self.log = log }

    func start(_ request: TerminalRequest) async throws -> any PseudoTerminal {
        log.note("start a shell")
        return RecordingTerminal(try await terminals.start(request), log: log)
    }

    /// The newest shell says something.
    func say(_ text: String) { terminals.terminal(terminals.requests.count - 1)?.say(text) }
}
