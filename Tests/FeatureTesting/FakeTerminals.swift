import Synchronization
package import Terminal
package import TerminalHost

/// Hands out terminals that a test plays.
package final class FakeTerminals: PseudoTerminalFactory {
    private let started = Mutex<[(request: TerminalRequest, terminal: FakeTerminal)]>([])
    private let failure: TerminalError?

    package init(failure: TerminalError? = nil) { self.failure = failure }

    package var requests: [TerminalRequest] { started.withLock { $0.map(\.request) } }

    package func start(_ request: TerminalRequest) async throws -> any PseudoTerminal {
        if let failure { throw failure }
        let terminal = FakeTerminal()
        started.withLock { $0.append((request, terminal)) }
        return terminal
    }

    package func terminal(_ index: Int) -> FakeTerminal? {
        started.withLock { index < $0.count ? $0[index].terminal : nil }
    }
}
