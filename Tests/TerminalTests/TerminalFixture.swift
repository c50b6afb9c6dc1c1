import Capabilities
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import Rights
import Synchronization

@testable import CommandServer
@testable import Commands
@testable import Terminal
@testable import TerminalHost

/// A computer with terminals that a test plays, asked through its router as phones ask.
struct TerminalFixture {
    static let ada = "did:key:z6MkAda"
    static let bo = "did:key:z6MkBo"

    let clock = ManualClock()
    let outlet = StallingOutlet()
    let factory: FakeTerminals
    let skill: TerminalSkill
    let router: CommandRouter

    init(failure: TerminalError? = nil) {
        let factory = FakeTerminals(failure: failure)
        let ids = Counter()
        self.factory = factory
        skill = TerminalSkill(
            factory: factory,
            outlet: outlet,
            time: clock,
            makeID: { "s-\(ids.next())" }
        )
        router = CommandRouter(
            methods: skill.methods,
            logger: Logger(label: "test"),
            gate: CommandGate(rights: RightsCatalogue(TerminalSkill.manifest.rights))
        )
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    static func caller(_ id: String) -> Caller {
        Caller(id: id, name: "phone", proof: .session, rights: [.terminal])
    }

    @discardableResult
    func call(_ method: String, _ params: JSONValue = [:], from device: String = ada) async throws -> JSONValue {
        let request = CommandRequest(id: UUID().uuidString, method: method, params: params)
        return try await router.answer(request, from: Self.caller(device)).outcome.get()
    }

    func outcome(_ method: String, _ params: JSONValue) async -> Result<JSONValue, RemoteFailure> {
        let request = CommandRequest(id: UUID().uuidString, method: method, params: params)
        return await router.answer(request, from: Self.caller(Self.ada)).outcome
    }

    /// A new session's shell.
    func create(_ params: JSONValue = [:]) async throws -> FakeTerminal {
        try await call("terminal.create", params)
        guard let terminal = factory.terminal(factory.requests.count - 1) else { throw RemoteError.malformedResult }
        return terminal
    }

    /// So much time that the shell does not wait any longer for whoever takes nothing.
    func outlastPatience() async {
        for _ in 0..<TerminalSession.reminders {
            await clock.sleeper(for: TerminalSession.patience / TerminalSession.reminders)
            clock.advance(by: TerminalSession.patience / TerminalSession.reminders)
        }
    }

    /// Lets other tasks run until `isDone`: for what nothing announces.
    func until(_ isDone: () async throws -> Bool) async throws {
        while !Task.isCancelled, try await !isDone() { await Task.yield() }
    }
}
