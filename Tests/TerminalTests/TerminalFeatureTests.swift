import Capabilities
import CommandClient
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Rights
import Synchronization
import Testing

@testable import Commands
@testable import Control
@testable import Terminal
@testable import TerminalHost

@Suite("Terminals for commands on the phone's device", .timeLimit(.minutes(5)))
struct TerminalFeatureTests {
    private let terminals = FakeTerminals()
    private let peer: ScriptedPeer
    private let feature: TerminalFeature
    private let inputs = ControlInputs()

    init() {
        let outlet = ScriptedOutlet()
        let caller = TerminalFixture.caller(TerminalFixture.ada)
        let skill = TerminalSkill(factory: terminals, outlet: outlet, time: ManualClock(), makeID: { "s-1" })
        peer = ScriptedPeer(skill, as: caller, outlet: outlet)
        feature = TerminalFeature(ScriptedComputers(peer))
    }

    /// What a command was reported.
    private final class Reports: Sendable {
        private let kept = Mutex<[JSONValue]>([])
        var items: [JSONValue] { kept.withLock(\.self) }
        func add(_ item: JSONValue) { kept.withLock { $0.append(item) } }
    }

    private func open(
        _ params: JSONValue,
        _ input: ControlInput,
        _ reports: Reports = Reports()
    ) async throws -> JSONValue {
        let table = ControlTable(feature.controlRoutes)
        let request = ControlRequest(id: 1, method: "terminal.open", params: params)
        return try await table.handle(request, input: input) { reports.add($0) }
    }

    private func terminal() async -> FakeTerminal {
        while true {
            if let terminal = terminals.terminal(0) { return terminal }
            await Task.yield()
        }
    }

    @Test("a new terminal is shown and typed into until its shell ends, which is the answer")
    func opened() async throws {
        let reports = Reports()
        let input = inputs.open(1)
        async let answer = open(
            ["device": nil, "shell": "bash", "cwd": "~", "cols": 100, "rows": 30, "endsWithCaller": false],
            input,
            reports
        )
        let terminal = await terminal()
        #expect(
            terminals.requests == [
                TerminalRequest(shell: "bash", folder: "~", size: try TerminalSize(columns: 100, rows: 30))
            ]
        )
        await inputs.send(["text": "ls\r"], to: 1)
        await inputs.send(["unknown": 1], to: 1)
        await inputs.send(["text": "é"], to: 1)
        while !Task.isCancelled, terminal.typed != "ls\ré" { await Task.yield() }
        terminal.say("hi")
        while !Task.isCancelled, reports.items.isEmpty { await Task.yield() }
        inputs.finish(1)
        terminal.end(.killed(signal: 9))
        #expect(try await answer == ["sessionId": "s-1", "exitCode": 137, "signal": 9])
        #expect(reports.items == [["text": "hi"]])
    }

    @Test("a shell that ends by itself has no signal, and the answer says so")
    func ended() async throws {
        async let answer = open(["cols": 80, "rows": 24], .none)
        await terminal().end(.exited(code: 3))
        let value = try await answer
        #expect(value == ["sessionId": "s-1", "exitCode": 3, "signal": nil])
        #expect(
            try value.decode(as: TerminalControl.Outcome.self) == .exited(sessionID: "s-1", code: 3, signal: nil)
        )
    }

    @Test("a command that leaves has its shell left running, and can take it over")
    func detached() async throws {
        let input = inputs.open(1)
        async let first = open(["cols": 80, "rows": 24, "endsWithCaller": true], input)
        let terminal = await terminal()
        await inputs.send(TerminalControl.Input.detach.item, to: 1)
        let left = try await first
        #expect(left == ["sessionId": "s-1", "detached": true])
        #expect(try left.decode(as: TerminalControl.Outcome.self) == .detached(sessionID: "s-1"))
        #expect(peer.calls.contains { $0.method == "terminal.unsubscribe" } && !terminal.isHungUp)

        let reports = Reports()
        async let second = open(["sessionId": "s-1", "cols": 80, "rows": 24], .none, reports)
        while !peer.calls.contains(where: { $0.params == ["sessionId": "s-1", "acknowledges": true] }) {
            await Task.yield()
        }
        terminal.say("again")
        while !Task.isCancelled, reports.items.isEmpty { await Task.yield() }
        terminal.end(.exited(code: 0))
        #expect(try await second == ["sessionId": "s-1", "exitCode": 0, "signal": nil])
        #expect(terminals.requests.count == 1)
    }

    @Test("a shell ends with the command that asked for that, and stays with any other", arguments: [true, false])
    func caller(ends: Bool) async throws {
        let input = inputs.open(1)
        let command = Task { try await open(["cols": 80, "rows": 24, "endsWithCaller": .bool(ends)], input) }
        let terminal = await terminal()
        while !Task.isCancelled, !peer.calls.contains(where: { $0.method == "terminal.list" }) { await Task.yield() }
        command.cancel()
        await #expect(throws: CancellationError.self) { try await command.value }
        while !Task.isCancelled, ends, !terminal.isHungUp { await Task.yield() }
        await feature.close()
        #expect(terminal.isHungUp == ends)
    }

    @Test(
        "what does not fit is refused before a shell is started",
        arguments: [
            [:], ["cols": 80], ["cols": 0, "rows": 24], ["cols": "80", "rows": 24],
            ["device": 5, "cols": 80, "rows": 24],
            ["device": "nobody", "cols": 80, "rows": 24], ["cols": 80, "rows": 24, "endsWithCaller": "yes"],
        ] as [JSONValue]
    )
    func refused(params: JSONValue) async throws {
        await #expect(throws: (any Error).self) { try await open(params, .none) }
        #expect(terminals.requests.isEmpty && peer.calls.isEmpty)
    }

    @Test("a size that cannot be ends the command with its sentence")
    func badResize() async throws {
        let input = inputs.open(1)
        let command = Task { try await open(["cols": 80, "rows": 24], input) }
        _ = await terminal()
        await inputs.send(["resize": [80]], to: 1)
        await #expect(throws: ControlError.badParameter(name: "cols and rows", expected: "1 to 1000")) {
            try await command.value
        }
    }

    @Test("what a command tells and is told is read as it was written")
    func items() throws {
        for input in [
            TerminalControl.Input.text("é"), .resize(try TerminalSize(columns: 1, rows: 1000)), .detach,
        ] {
            #expect(try TerminalControl.Input(item: input.item) == input)
        }
        #expect(try TerminalControl.Input(item: ["detach": false]) == nil)
        for item in [TerminalControl.Item.text("x"), .notice("Some of it is gone.")] {
            #expect(try JSONValue(encoding: item).decode(as: TerminalControl.Item.self) == item)
        }
        let open = TerminalControl.Open(device: "desk", folder: "~", sessionID: "s", endsWithCaller: true)
        #expect(
            try JSONValue(encoding: open) == [
                "device": "desk", "cwd": "~", "sessionId": "s", "cols": 80, "rows": 24, "endsWithCaller": true,
            ]
        )
    }

    @Test("the feature brings its right, its methods and the sentences of its refusals")
    func declared() {
        #expect(TerminalFeature.maker.manifest.rights == [.terminal])
        #expect(feature.methods.map(\.name) == TerminalMethods.all.map(\.name))
        let full = RemoteFailure(code: -32005, message: "max_concurrent_sessions_exceeded")
        #expect(feature.explain(full) == TerminalError.tooManySessions.description)
        #expect(feature.explain(RemoteFailure(code: -32602, message: "something else")) == nil)
    }

    @Test("a refusal tells a page its documented word, whichever way it came")
    func reasons() throws {
        for refusal in Self.refusals {
            let (code, word) = (try #require(refusal.facts.code), try #require(refusal.facts.word))
            let answer = RemoteFailure(code: code, message: word)
            let explained = RemoteFailure(code: code, message: word, explanation: feature.explain(answer))
            #expect(TerminalError(answer) == refusal)
            #expect(FailureReport(refusal).reason == word)
            #expect(FailureReport(explained).reason == word)
            #expect(FailureReport(explained).message == refusal.description)
        }
        #expect(TerminalError(RemoteFailure(code: -32603, message: "pty_manager_not_ready")) == .stopped)
        #expect(FailureReport(TerminalError.tooManySessions).values == ["limit": 8])
        #expect(FailureReport(TerminalError.folderMissing("~/x")).reason == "folder_missing")
        #expect(FailureReport(TerminalError.folderMissing("~/x")).values == ["folder": "~/x"])
        #expect(FailureReport(RemoteFailure(code: -32602, message: "something else")).reason == nil)
    }

    @Test(
        "the page has a sentence for each refusal that it can bring about, in both languages",
        arguments: ["en", "zh"]
    )
    func sentences(language: String) throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let area = repository.appending(path: "Sources/TandemWeb/Page/i18n/\(language)/terminal.js")
        let texts = try String(contentsOf: area, encoding: .utf8)
        // The page always names a terminal, and sizes within the bounds.
        for refusal in Self.refusals where ![.sessionIDRequired, .invalidDimensions].contains(refusal) {
            let reason = try #require(refusal.facts.reason)
            #expect(texts.contains("'reason.\(reason)': "), "\(reason)")
        }
    }

    /// Those whose answer is a documented word.
    private static let refusals: [TerminalError] = [
        .stopped, .sessionIDRequired, .sessionNotFound, .sessionNotAlive, .invalidDimensions, .shellNotAllowed,
        .tooManySessions,
        .inputFull, .inputOutOfOrder,
    ]
}
