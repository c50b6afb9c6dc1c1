package import CommandServer
import Commands
package import Foundation
import Kernel
import Terminal

/// The terminals of this computer. They outlive the link: a phone that comes back, or another one of the same owner, lists
/// them and goes on. Source: `docs/protocol.md`, "Terminal".
package actor TerminalSkill: RemoteSkill {
    /// Ended ones, kept for what they wrote last.
    static let endedLimit = 8
    static let dataLimit = 64 * 1024

    private let factory: any PseudoTerminalFactory
    private let sink: any RemoteEventSink
    private let observer: (any ActivityObserver)?
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> String
    private let tasks = TaskBag()
    private(set) var sessions: [String: TerminalSession] = [:]
    /// Oldest first.
    private var order: [String] = []
    private var starting = 0
    private var isStopped = false

    package init(
        factory: any PseudoTerminalFactory,
        sink: any RemoteEventSink,
        observer: (any ActivityObserver)? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        makeID: @escaping @Sendable () -> String = { UUID.randomText() }
    ) {
        self.factory = factory
        self.sink = sink
        self.observer = observer
        self.clock = clock
        self.now = now
        self.makeID = makeID
    }

    package nonisolated var methods: [RemoteMethod] {
        [
            method("terminal.create", .privileged) { try await self.create($0, $1) },
            method("terminal.list", .safe) { try await self.list($0, $1) },
            method("terminal.stdin", .privileged) { try await self.type($0, $1) },
            method("terminal.resize", .safe) { try await self.resize($0, $1) },
            method("terminal.close", .mutating) { try await self.close($0, $1) },
            method("terminal.history", .safe) { try await self.history($0, $1) },
            method("terminal.ack", .safe) { try await self.acknowledge($0, $1) },
            method("terminal.unsubscribe", .safe) { try await self.unsubscribe($0, $1) },
        ]
    }

    /// Ends every shell: the computer's program stops.
    package func shutDown() async {
        isStopped = true
        let all = sessions.values
        sessions = [:]
        order = []
        await withDiscardingTaskGroup { group in
            for session in all {
                group.addTask {
                    await session.close()
                    await session.end()
                }
            }
        }
        await tasks.end()
    }

    private nonisolated func method(
        _ name: String,
        _ risk: Risk,
        _ run: @escaping @Sendable (RemoteParameters, Caller) async throws -> JSONValue
    ) -> RemoteMethod {
        RemoteMethod(name, risk: risk) { params, caller in
            do {
                return try await run(params, caller)
            } catch let error as TerminalError {
                throw error.failure
            }
        }
    }

    // MARK: Methods

    private func create(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        guard !isStopped else { throw TerminalError.stopped }
        let projectID = try params.optionalText("projectId", limit: 256)
        let acknowledges = try params.flag("acknowledges")
        let request = TerminalRequest(
            shell: try path("shell", in: params),
            environment: try TerminalEnvironment.read(params.value["env"]),
            folder: try path("cwd", in: params),
            size: try size(in: params, default: .standard)
        )
        guard sessions.values.count(where: \.isAlive) + starting < TerminalError.sessionLimit else {
            throw TerminalError.tooManySessions
        }
        starting += 1
        defer { starting -= 1 }
        let terminal = try await factory.start(request)
        let session = TerminalSession(
            id: makeID(),
            device: caller.id,
            terminal: terminal,
            projectID: projectID,
            createdAtMilliseconds: now().millisecondsSince1970,
            sink: sink,
            clock: clock
        )
        await session.start(acknowledges: acknowledges)
        guard !isStopped else {
            await session.close()
            await session.end()
            throw TerminalError.stopped
        }
        sessions[session.id] = session
        order.append(session.id)
        forgetEnded()
        observer?.began(Self.activity(of: session))
        return [
            "sessionId": .string(session.id), "pid": .integer(Int64(terminal.processID)),
            "shell": .string(terminal.shell), "cwd": .string(terminal.folder),
            "createdAt": .integer(session.createdAtMilliseconds), "projectId": Self.text(projectID),
        ]
    }

    /// Documented phones get every live session's output from here on. Ours name the one they show, or none.
    private func list(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let only = try params.optionalText("sessionId", limit: 128)
        let acknowledges = params.has("acknowledges") ? try params.flag("acknowledges") : nil
        let subscribes = try params.flag("subscribe", default: true)
        var entries: [JSONValue] = []
        for session in order.compactMap({ sessions[$0] }) {
            if subscribes, only == nil || only == session.id {
                await session.subscribe(caller.id, acknowledges: acknowledges)
            }
            let lastSeq = await session.lastSeq()
            let exit = session.exit
            entries.append([
                "id": .string(session.id), "shell": .string(session.terminal.shell),
                "cwd": .string(session.terminal.folder), "alive": .bool(exit == nil), "lastSeq": .integer(lastSeq),
                "projectId": Self.text(session.projectID), "createdAt": .integer(session.createdAtMilliseconds),
                "exitCode": exit.map { .integer(Int64($0.code)) } ?? .null,
                "signal": exit?.signal.map { .integer(Int64($0)) } ?? .null,
            ])
        }
        return ["sessions": .array(entries)]
    }

    private func type(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let session = try session(in: params)
        guard let data = try params.optionalText("data", limit: Self.dataLimit) else {
            throw RemoteFailure.badParameter("data", "a text of at most \(Self.dataLimit) bytes")
        }
        guard session.isAlive else { throw TerminalError.sessionNotAlive }
        if let seq = try params.optionalInteger("inputSeq", in: 1...(1 << 53)) {
            let source = TerminalInput.Source(
                caller: caller.id,
                id: try params.optionalText("inputId", limit: 64) ?? ""
            )
            try await session.type(data, seq: seq, from: source)
        } else {
            try await session.type(data)
        }
        return ["ok": true]
    }

    private func resize(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let session = try session(in: params)
        try await session.resize(to: size(in: params, default: nil))
        return ["ok": true]
    }

    private func close(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        await close(try session(in: params))
        return ["ok": true]
    }

    /// Ends a shell, and lets go of its session once its devices know.
    func close(_ session: TerminalSession) async {
        await session.close()
        if sessions.removeValue(forKey: session.id) != nil {
            order.removeAll { $0 == session.id }
            tasks.add { await session.retire() }
        }
    }

    private func history(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let first = try params.optionalInteger("fromSeq", in: 0...(1 << 53)) ?? 0
        return try await session(in: params).history(from: first).value
    }

    private func acknowledge(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let seq = try params.integer("seq", in: 0...(1 << 53))
        try await session(in: params).acknowledge(seq, by: caller.id)
        return ["ok": true]
    }

    private func unsubscribe(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        try await session(in: params).unsubscribe(caller.id)
        return ["ok": true]
    }

    // MARK: Reading parameters

    private func session(in params: RemoteParameters) throws -> TerminalSession {
        guard !isStopped else { throw TerminalError.stopped }
        guard let id = params.value["sessionId"]?.stringValue, !id.isEmpty else {
            throw TerminalError.sessionIDRequired
        }
        guard let session = sessions[id] else { throw TerminalError.sessionNotFound }
        return session
    }

    /// Columns and rows; a missing one is the standard's where there is one.
    private func size(in params: RemoteParameters, default standard: TerminalSize?) throws -> TerminalSize {
        func number(_ name: String, _ fallback: UInt16?) throws(TerminalError) -> Int64 {
            guard params.has(name) else {
                guard let fallback else { throw .invalidDimensions }
                return Int64(fallback)
            }
            guard let number = params.value[name]?.integerValue else { throw .invalidDimensions }
            return number
        }
        return try TerminalSize(
            columns: number("cols", standard?.columns),
            rows: number("rows", standard?.rows)
        )
    }

    /// Nil where nothing was given. A NUL would end the path early for the system.
    private func path(_ name: String, in params: RemoteParameters) throws -> String? {
        guard let text = try params.optionalText(name), !text.isEmpty else { return nil }
        guard !text.utf8.contains(0) else { throw RemoteFailure.badParameter(name, "a text without NUL") }
        return text
    }

    private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    private func forgetEnded() {
        let ended = order.filter { sessions[$0]?.isAlive == false }
        for id in ended.dropLast(Self.endedLimit) {
            order.removeAll { $0 == id }
            if let session = sessions.removeValue(forKey: id) { tasks.add { await session.end() } }
        }
    }
}
