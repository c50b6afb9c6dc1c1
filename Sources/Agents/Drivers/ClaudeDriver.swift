import Conversations
import Foundation
import Kernel
import Logging

/// Drives Claude Code by its stream of JSON: a program for each thread that is at work or was lately.
actor ClaudeDriver: AgentDriver {
    /// Programs at once.
    static let programLimit = 16

    private static let arguments = [
        "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
        "--include-partial-messages", "--permission-prompt-tool", "stdio",
    ]

    private struct Session {
        let process: any AgentProcess
        let reader: Task<Void, Never>
        /// The id of the thread that it was asked to resume; nil for a new thread.
        let resumed: String?
        let folder: String
        /// The thread's id as the program names it, from its first turn on.
        var thread: String?
        var turnRuns = false
        var isStopping = false
        /// When the program took in that the turn shall stop.
        var stopTaken: ContinuousClock.Instant?
        /// The message that is being written.
        var message: String?
        /// The program's word for the last error.
        var error: String?
        var lastUse: ContinuousClock.Instant
        /// The tasks that work in the background, beside the turns.
        var tasks: Set<String> = []
        /// Requests of ours that it has not answered.
        var calls: Set<String> = []
        var naming: [(continuation: CheckedContinuation<String, any Error>, timer: Task<Void, Never>)] = []
    }

    private let context: DriverContext
    private let tasks = OwnedTasks()
    /// Sessions by a name of ours, which is also the connection's in requests' keys.
    private var sessions: [String: Session] = [:]
    /// Threads that are being resumed at this moment, so that two prompts do not start two programs.
    private var opening: [String: Task<String, any Error>] = [:]
    /// Programs that are being launched, by a name of ours.
    private var launches: [String: Task<any AgentProcess, any Error>] = [:]
    private var calls = PendingCalls<String, Void>()
    private var isClosed = false

    init(_ context: DriverContext) { self.context = context }

    // MARK: What people ask for

    func start(in folder: String, _ prompt: PreparedPrompt) async throws -> String {
        let key = try await open(nil, in: folder)
        return try await say(prompt, to: key).thread
    }

    func post(
        _ prompt: PreparedPrompt,
        to id: String,
        in folder: String?
    ) async throws -> (thread: String, delivery: ThreadProgress.Delivery) {
        if let key = session(of: id) { return try await say(prompt, to: key) }
        if let task = opening[id] { return try await say(prompt, to: task.value) }
        // Claude Code finds a session only from the folder that it was started in.
        guard let folder else { throw AgentError.folderUnknown(context.reference(id)) }
        let task = Task { try await open(id, in: folder) }
        opening[id] = task
        defer { opening[id] = nil }
        return try await say(prompt, to: task.value)
    }

    /// It keeps no queue: Claude Code takes prompts in while a turn runs, and writes them down.
    func cancel(_ id: String) async throws -> [PreparedPrompt] {
        guard let key = session(of: id), let session = sessions[key] else { return [] }
        guard session.turnRuns else {
            try await stopBackground(key, session)
            return []
        }
        sessions[key]?.isStopping = true
        let isDeaf = session.stopTaken.map { context.time.now - $0 >= DriverContext.stopLimit } ?? false
        do {
            guard !isDeaf else { throw context.isGone }
            try await control(["subtype": "interrupt"], to: key, within: DriverContext.stopLimit)
            if sessions[key]?.turnRuns == true, session.stopTaken == nil { sessions[key]?.stopTaken = context.time.now }
            decline(key)
        } catch {
            // It does not listen, or does not stop: the thread is whole on disk, and the next prompt resumes it.
            sessions[key]?.process.end()
            await session.reader.value
        }
        return []
    }

    /// Stops the work that goes on after the turn ends: requests that wait hear that they were stopped, and so do tasks in the background.
    private func stopBackground(_ key: String, _ session: Session) async throws {
        decline(key)
        for task in session.tasks.sorted() {
            do {
                try await control(
                    ["subtype": "stop_task", "task_id": .string(task)],
                    to: key,
                    within: DriverContext.stopLimit
                )
            } catch is RPCFailure {
                // It is over, or the version knows no way to stop it; the other tasks are stopped all the same.
                continue
            }
        }
    }

    /// Answers every request of a program that waits: the person stopped it.
    private func decline(_ key: String) {
        guard let session = sessions[key], let thread = session.thread ?? session.resumed else { return }
        for open in context.board.takeAll(of: context.reference(thread)) where open.key.connection == key {
            _ = session.process.write(Self.line(open.stopping, to: open.key.id))
        }
    }

    /// Whether nothing of a program's work would be lost with it.
    private func isIdle(_ key: String, _ session: Session) -> Bool {
        guard !session.turnRuns, session.naming.isEmpty, session.calls.isEmpty, !context.board.isAsked(by: key) else {
            return false
        }
        // A task that is never told to be over does not keep a program for ever.
        return session.tasks.isEmpty || context.time.now - session.lastUse >= DriverContext.backgroundLimit
    }

    func deliver(
        _ reply: RPCReply,
        to open: ThreadBoard.Open,
        _ answer: ApprovalAnswer,
        _ option: Approval.Option
    ) throws {
        guard let session = sessions[open.key.connection] else { throw AgentError.unknownApproval }
        guard session.process.write(Self.line(reply, to: open.key.id)) else {
            throw context.died("does not read what it is told", session.process)
        }
        sessions[open.key.connection]?.lastUse = context.time.now
        if option.kind == .cancel { sessions[open.key.connection]?.isStopping = true }
    }

    func endIdle() {
        for (key, session) in sessions
        where context.time.now - session.lastUse >= DriverContext.idleLimit && isIdle(key, session) { retire(key) }
    }

    func end() async {
        isClosed = true
        let readers = sessions.values.map(\.reader)
        for session in sessions.values { session.process.end() }
        for launch in launches.values {
            guard let process = try? await launch.value else { continue }
            process.kill()
            _ = await process.exit()
        }
        for reader in readers { await reader.value }
        await tasks.end()
    }

    // MARK: Programs

    private func session(of id: String) -> String? {
        sessions.first { $0.value.thread == id || $0.value.resumed == id }?.key
    }

    private func retire(_ key: String) {
        name(key, .failure(context.isGone))
        guard let session = sessions.removeValue(forKey: key) else { return }
        for id in session.calls { calls.end(id, with: .failure(context.isGone)) }
        session.process.end()
        tasks.add { await session.reader.value }
    }

    private func open(_ resumed: String?, in folder: String) async throws -> String {
        guard !isClosed else { throw AgentError.closed }
        if sessions.count + launches.count >= Self.programLimit {
            let idle = sessions.filter { isIdle($0.key, $0.value) }
            guard let idle = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
                throw AgentError.tooMany(what: "threads of \(context.program.name) at work", limit: Self.programLimit)
            }
            retire(idle.key)
        }
        // In one word, so that no id can be read as another option.
        let arguments = Self.arguments + (resumed.map { ["--resume=\($0)"] } ?? [])
        let process = try await launch(arguments, in: folder)
        guard !isClosed else {
            process.kill()
            _ = await process.exit()
            throw AgentError.closed
        }
        let key = UUID.randomText()
        sessions[key] = Session(
            process: process,
            reader: Task { await read(process, key) },
            resumed: resumed,
            folder: folder,
            lastUse: context.time.now
        )
        do {
            try await control(
                ["subtype": "initialize", "hooks": .null],
                to: key,
                within: DriverContext.answerLimit
            )
        } catch let failure as RPCFailure {
            // Older versions do not know it, and need it for nothing that is used here.
            context.logger.debug("a program refused to be greeted", metadata: ["reason": "\(failure.message)"])
        } catch {
            retire(key)
            throw error
        }
        return key
    }

    private func launch(_ arguments: [String], in folder: String) async throws -> any AgentProcess {
        let task = Task { [context] in try await context.launch(arguments: arguments, in: folder) }
        let name = UUID.randomText()
        launches[name] = task
        defer { launches[name] = nil }
        return try await task.value
    }

    /// Hands a prompt over, and waits until the program has named the thread.
    private func say(
        _ prompt: PreparedPrompt,
        to key: String
    ) async throws -> (thread: String, delivery: ThreadProgress.Delivery) {
        guard let session = sessions[key] else { throw isClosed ? AgentError.closed : context.isGone }
        let message: JSONValue = [
            "type": "user", "session_id": .string(session.thread ?? session.resumed ?? ""), "parent_tool_use_id": .null,
            "message": [
                "role": "user",
                "content": [["type": "text", "text": .string(prompt.text(naming: prompt.files))]],
            ],
        ]
        guard session.process.write(message.canonicalBytes + [0x0A]) else {
            throw context.died("does not read what it is told", session.process)
        }
        sessions[key]?.lastUse = context.time.now
        let delivery: ThreadProgress.Delivery = session.turnRuns ? .steered : .started
        if let thread = session.thread {
            began(key)
            return (thread, delivery)
        }
        let deadline = context.time.now + DriverContext.answerLimit
        let thread = try await withCheckedThrowingContinuation { continuation in
            let timer = Task { [weak self, time = context.time] in
                guard await time.pause(until: deadline) else { return }
                await self?.unnamed(key)
            }
            sessions[key]?.naming.append((continuation, timer))
        }
        return (thread, delivery)
    }

    private func unnamed(_ key: String) {
        name(
            key,
            .failure(AgentError.timedOut(name: context.program.name, after: DriverContext.answerLimit))
        )
        retire(key)
    }

    private func name(_ key: String, _ result: Result<String, any Error>) {
        let waiting = sessions[key]?.naming ?? []
        sessions[key]?.naming = []
        for one in waiting {
            one.timer.cancel()
            one.continuation.resume(with: result)
        }
    }

    /// - Throws: ``RPCFailure`` where the program refuses, ``AgentError``.
    private func control(_ request: JSONValue, to key: String, within limit: Duration) async throws {
        guard let session = sessions[key] else { throw isClosed ? AgentError.closed : context.isGone }
        let id = UUID.randomText()
        let line: JSONValue = ["type": "control_request", "request_id": .string(id), "request": request]
        let deadline = context.time.now + limit
        let timer = Task { [weak self, time = context.time] in
            guard await time.pause(until: deadline) else { return }
            await self?.expire(id, limit)
        }
        _ = try await withCheckedThrowingContinuation { continuation in
            calls.add(id, (), continuation, timer: timer)
            sessions[key]?.calls.insert(id)
            if !session.process.write(line.canonicalBytes + [0x0A]) {
                calls.end(id, with: .failure(context.died("does not read what it is told", session.process)))
            }
        }
    }

    private func expire(_ id: String, _ limit: Duration) {
        calls.end(id, with: .failure(AgentError.timedOut(name: context.program.name, after: limit)))
    }

    private static func line(_ reply: RPCReply, to id: JSONValue) -> [UInt8] {
        let response: JSONValue =
            switch reply {
            case .result(let result): ["subtype": "success", "request_id": id, "response": result]
            case .failure(_, let message): ["subtype": "error", "request_id": id, "error": .string(message)]
            }
        return JSONValue.object(["type": "control_response", "response": response]).canonicalBytes + [0x0A]
    }

    private func read(_ process: any AgentProcess, _ key: String) async {
        let output = await AgentOutput.read(process) { take($0, from: key) }
        context.board.withdrawAll(of: key)
        context.note(output, isExpected: isClosed || sessions[key]?.turnRuns != true)
        guard let session = sessions[key] else { return }
        let error: AgentError = isClosed ? .closed : context.died(output.end, process)
        name(key, .failure(error))
        sessions[key] = nil
        for id in session.calls { calls.end(id, with: .failure(error)) }
        guard session.turnRuns, let thread = session.thread ?? session.resumed else { return }
        let reference = context.reference(thread)
        if session.isStopping {
            context.board.turnEnded(reference, .idle)
        } else {
            context.board.turnEnded(reference, .failed, summary: "\(error)")
        }
    }

    // MARK: What the program says

    private func began(_ key: String) {
        guard let session = sessions[key], !session.turnRuns, let thread = session.thread else { return }
        sessions[key]?.turnRuns = true
        sessions[key]?.isStopping = false
        sessions[key]?.stopTaken = nil
        sessions[key]?.error = nil
        context.board.turnBegan(context.reference(thread))
    }

    private func take(_ line: [UInt8], from key: String) -> Bool {
        guard let message = ClaudeMessage(line) else { return false }
        guard let session = sessions[key] else { return true }
        switch message {
        case .turn(let thread):
            named(thread, key, session)
            began(key)
        case .message(let id):
            began(key)
            sessions[key]?.message = id
        case .delta(let text):
            guard let thread = session.thread, let message = session.message else { return true }
            context.board.delta(context.reference(thread), itemID: message, text)
        case .said(let error):
            began(key)
            if let error { sessions[key]?.error = error }
        case .result(let isError, let text): ended(key, session, isError: isError, text)
        case .request(let id, let control): asked(id, control, key, session)
        case .unreadable(let id):
            let reply = RPCReply.failure(code: 0, message: "The request cannot be read, so it was declined.")
            _ = session.process.write(Self.line(reply, to: .string(id)))
        case .tasks(let tasks):
            sessions[key]?.tasks = tasks
            sessions[key]?.lastUse = context.time.now
        case .taskBegan(let task):
            if session.tasks.count < ClaudeMessage.taskLimit { sessions[key]?.tasks.insert(task) }
        case .taskEnded(let task):
            sessions[key]?.tasks.remove(task)
            sessions[key]?.lastUse = context.time.now
        case .withdrawn(let id): context.board.withdraw(RequestKey(connection: key, id: .string(id)))
        case .answer(let id, let failure):
            let result: Result<JSONValue, any Error> =
                failure.map { .failure(RPCFailure(code: 0, message: $0)) } ?? .success(.null)
            sessions[key]?.calls.remove(id)
            calls.end(id, with: result)
        case .other: break
        }
        return true
    }

    /// Some versions resume into a copy with an id of its own: from then on the copy is the thread.
    private func named(_ thread: String, _ key: String, _ session: Session) {
        guard session.thread != thread else { return }
        let earlier = (session.thread ?? session.resumed).map(context.reference)
        sessions[key]?.thread = thread
        if session.thread != nil, session.turnRuns, let earlier {
            sessions[key]?.turnRuns = false
            context.board.turnEnded(earlier, .idle)
        }
        if earlier != context.reference(thread) { context.board.started(context.reference(thread), parent: earlier) }
        name(key, .success(thread))
    }

    private func ended(_ key: String, _ session: Session, isError: Bool, _ text: String?) {
        sessions[key]?.turnRuns = false
        sessions[key]?.message = nil
        sessions[key]?.lastUse = context.time.now
        guard let thread = session.thread else { return }
        let reference = context.reference(thread)
        // Helpers and commands in the background go on after the turn, and what they ask waits: the program takes back itself what it
        // does not need any more.
        if session.isStopping {
            decline(key)
            context.board.turnEnded(reference, .idle)
        } else if isError {
            let isSignIn = session.error == "authentication_failed"
            let error = AgentError.notSignedIn(name: context.program.name, text: text ?? "")
            context.board.turnEnded(reference, .failed, summary: isSignIn ? "\(error)" : text, keepsRequests: true)
        } else {
            context.board.turnEnded(reference, .done, summary: text, keepsRequests: true)
        }
    }

    private func asked(_ id: String, _ control: ClaudeControl, _ key: String, _ session: Session) {
        guard var request = control.request, let thread = session.thread ?? session.resumed else {
            _ = session.process.write(Self.line(.unsupported, to: .string(id)))
            return
        }
        if case .command(var command) = request.subject {
            // Where the thread began; the agent does not say where its shell is now.
            command.folder = session.folder
            request.subject = .command(command)
        }
        if !context.ask(request, of: thread, by: key, .string(id)) {
            _ = session.process.write(Self.line(.declined, to: .string(id)))
        }
    }
}
