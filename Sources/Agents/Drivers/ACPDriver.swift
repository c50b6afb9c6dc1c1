import Conversations
import Foundation
import Kernel
import Logging

/// Drives an agent of the Agent Client Protocol, version 1: one program for all sessions. What happens in them is written to our own
/// transcripts, since the protocol has no history.
actor ACPDriver: AgentDriver {
    private static let sessionLimit = 64
    private static let callLimit = 64
    /// Longer lines' contents are not kept for a request that names only the call.
    private static let contentLimit = 1 << 20

    private struct Session {
        var turnRuns = false
        var isStopping = false
        /// The agent tells again what happened before.
        var isReplaying = false
        var queue: [PreparedPrompt] = []
        var tools: [String: ACPToolCall] = [:]
        var toolOrder: [String] = []
        /// Of the message that is being written.
        var message: String?
        var messageCount = 0
        var transcript: TranscriptWriter
    }

    private enum Call: Sendable {
        case other
        case new(folder: String)
        case reopen(String)
        case prompt(String)
    }

    private struct Connection {
        let id: String
        let process: any AgentProcess
        let reader: Task<Void, Never>
    }

    private struct Abilities {
        var canLoad = false
        var canResume = false
        var version: String?
    }

    private enum Link {
        case down
        case starting(Task<Void, any Error>)
        case up
    }

    private let context: DriverContext
    private let transcripts: TranscriptStore
    private let writer = RPCWriter(hasVersion: true)
    private let tasks = OwnedTasks()
    private var link = Link.down
    private var connection: Connection?
    private var abilities = Abilities()
    private var isClosed = false
    private var sessions: [String: Session] = [:]
    /// Opened again at this moment: prompts wait for that.
    private var reopening: [String: Task<Void, any Error>] = [:]
    private var calls = PendingCalls<Int64, Call>()
    private var nextCall: Int64 = 0
    private var lastUse: ContinuousClock.Instant

    init(_ context: DriverContext, transcripts: TranscriptStore) {
        self.context = context
        self.transcripts = transcripts
        lastUse = context.time.now
    }

    // MARK: What people ask for

    func start(in folder: String, _ prompt: PreparedPrompt) async throws -> String {
        try await connect()
        let answer = try await request(
            "session/new",
            ["cwd": .string(folder), "mcpServers": []],
            as: .new(folder: folder)
        )
        guard let id = AgentText.name(answer["sessionId"], limit: TranscriptStore.idLimit), sessions[id] != nil else {
            throw AgentError.refused(name: context.program.name, reason: "it did not name the new session")
        }
        context.board.started(context.reference(id))
        begin(prompt, in: id)
        return id
    }

    func post(
        _ prompt: PreparedPrompt,
        to id: String,
        in folder: String?
    ) async throws -> (thread: String, delivery: AgentPosting.Delivery) {
        try await connect()
        if let task = reopening[id] {
            try await task.value
        } else if sessions[id] == nil {
            let task = Task { try await reopen(id, in: folder) }
            reopening[id] = task
            defer { reopening[id] = nil }
            try await task.value
        }
        guard let session = sessions[id] else { throw AgentError.unknownThread(context.reference(id)) }
        guard session.turnRuns else {
            begin(prompt, in: id)
            return (id, .started)
        }
        // The protocol has no way to add to a running turn.
        guard session.queue.count < DriverContext.queueLimit else {
            throw AgentError.tooMany(what: "prompts waiting in this thread", limit: DriverContext.queueLimit)
        }
        sessions[id]?.queue.append(prompt)
        return (id, .queued)
    }

    func cancel(_ id: String) async {
        guard let session = sessions[id], session.turnRuns, let connection else { return }
        if session.isStopping, !sessions.contains(where: { $0.key != id && $0.value.turnRuns }) {
            // Asked for a second time: the agent does not listen, and no other thread needs its program.
            retire()
            return
        }
        sessions[id]?.isStopping = true
        sessions[id]?.queue = []
        _ = connection.process.write(writer.notification("session/cancel", ["sessionId": .string(id)]))
        // Every request that waits must hear that the turn was cancelled.
        for key in context.board.takeAll(of: context.reference(id)) where key.connection == connection.id {
            _ = connection.process.write(writer.reply(key.id, ACPRequest.cancelled))
        }
    }

    func deliver(
        _ reply: RPCReply,
        to open: ThreadBoard.Open,
        _ answer: ApprovalAnswer,
        _ option: Approval.Option
    ) throws {
        guard let connection, connection.id == open.key.connection else { throw AgentError.unknownApproval }
        guard connection.process.write(writer.reply(open.key.id, reply)) else {
            throw context.died("does not read what it is told", connection.process)
        }
        lastUse = context.time.now
        let id = open.approval.thread.id
        if option.id == ACPRequest.stopOption {
            tasks.add { [weak self] in await self?.cancel(id) }
        } else if option.kind == .decline, let reason = answer.reason, !reason.isEmpty, sessions[id]?.turnRuns == true,
            sessions[id]?.queue.count ?? 0 < DriverContext.queueLimit
        {
            // The protocol takes no words with a refusal, so they are the next prompt.
            sessions[id]?.queue.insert(PreparedPrompt(text: reason), at: 0)
        }
    }

    func endIdle() {
        guard case .up = link, calls.isEmpty, context.time.now - lastUse >= DriverContext.idleLimit else { return }
        retire()
    }

    private func retire() {
        guard let connection else { return }
        self.connection = nil
        if case .up = link { link = .down }
        connection.process.end()
        endTurns(context.isGone)
        tasks.add { await connection.reader.value }
    }

    func end() async {
        isClosed = true
        let connection = connection
        connection?.process.end()
        // A program that is being started ends, too.
        if case .starting(let task) = link { _ = await task.result }
        await connection?.reader.value
        await tasks.end()
    }

    // MARK: Sessions

    private func reopen(_ id: String, in folder: String?) async throws {
        guard abilities.canResume || abilities.canLoad else {
            throw AgentError.cannotResume(name: context.program.name)
        }
        // Only threads that began here have a transcript.
        guard let first = transcripts.folder(of: id) else { throw AgentError.unknownThread(context.reference(id)) }
        try keep(id, transcripts.writer(of: id))
        sessions[id]?.isReplaying = true
        do {
            _ = try await request(
                abilities.canResume ? "session/resume" : "session/load",
                ["sessionId": .string(id), "cwd": .string(folder ?? first), "mcpServers": []],
                as: .reopen(id)
            )
        } catch {
            sessions[id] = nil
            throw error
        }
    }

    private func keep(_ id: String, _ transcript: TranscriptWriter) throws {
        if sessions.count >= Self.sessionLimit {
            guard let idle = sessions.first(where: { !$0.value.turnRuns && !$0.value.isReplaying })?.key else {
                throw AgentError.tooMany(what: "threads of \(context.program.name) at work", limit: Self.sessionLimit)
            }
            sessions[idle] = nil
        }
        sessions[id] = Session(transcript: transcript)
    }

    /// Begins a turn; its end is the answer.
    private func begin(_ prompt: PreparedPrompt, in id: String) {
        sessions[id]?.turnRuns = true
        sessions[id]?.isStopping = false
        sessions[id]?.message = nil
        sessions[id]?.transcript.turnBegan(prompt, at: context.time.date)
        context.board.turnBegan(context.reference(id))
        var blocks: [JSONValue] = prompt.text.isEmpty ? [] : [["type": "text", "text": .string(prompt.text)]]
        blocks += prompt.files.map { file in
            [
                "type": "resource_link", "name": .string(file.name),
                "uri": .string(URL(filePath: file.path).absoluteString),
            ]
        }
        let parameters: JSONValue = ["sessionId": .string(id), "prompt": .array(blocks)]
        nextCall += 1
        let call = nextCall
        tasks.add { [weak self] in await self?.turn(call, parameters, in: id) }
    }

    /// A turn takes as long as it takes, so nothing limits it but the person.
    private func turn(_ call: Int64, _ parameters: JSONValue, in id: String) async {
        do {
            _ = try await send(call, "session/prompt", parameters, as: .prompt(id), within: nil)
        } catch let failure as RPCFailure {
            turnEnded(id, .failed, "\(context.explained(failure))")
        } catch {
            turnEnded(id, .failed, "\(error)")
        }
    }

    /// `stopReason` of the answer to a prompt.
    private func prompted(_ answer: JSONValue, in id: String) {
        switch answer["stopReason"]?.stringValue {
        case "cancelled"?: turnEnded(id, .idle, nil)
        case "refusal"?: turnEnded(id, .failed, "\(context.program.name) refuses to go on with this prompt.")
        case "max_tokens"?:
            turnEnded(id, .failed, "The turn ended at the most tokens that one may have. Post to go on.")
        case "max_turn_requests"?:
            turnEnded(id, .failed, "The turn ended at the most requests that one may make. Post to go on.")
        default: turnEnded(id, .done, nil)
        }
    }

    private func turnEnded(_ id: String, _ outcome: AgentState, _ reason: String?) {
        guard var session = sessions[id], session.turnRuns else { return }
        session.turnRuns = false
        // An agent that breaks off its work may call that an error.
        let outcome = session.isStopping ? .idle : outcome
        let text = session.transcript.turnEnded(outcome, reason: reason, at: context.time.date)
        session.tools = [:]
        session.toolOrder = []
        let next = session.queue.isEmpty ? nil : session.queue.removeFirst()
        sessions[id] = session
        lastUse = context.time.now
        context.board.turnEnded(
            context.reference(id),
            outcome,
            summary: reason ?? text.map { AgentText.line($0) }
        )
        if let next { begin(next, in: id) }
    }

    // MARK: The program

    private func connect() async throws {
        guard !isClosed else { throw AgentError.closed }
        lastUse = context.time.now
        switch link {
        case .up: return
        case .starting(let task): try await task.value
        case .down:
            let task = Task { try await open() }
            link = .starting(task)
            try await task.value
        }
    }

    private func open() async throws {
        do {
            let process = try await context.launch()
            guard !isClosed else {
                process.kill()
                _ = await process.exit()
                throw AgentError.closed
            }
            let id = UUID.randomText()
            connection = Connection(id: id, process: process, reader: Task { await read(process, id) })
            let answer = try await request("initialize", greeting, as: .other)
            guard connection?.id == id else { throw isClosed ? AgentError.closed : context.isGone }
            guard answer["protocolVersion"]?.integerValue == 1 else {
                throw AgentError.refused(
                    name: context.program.name,
                    reason: "it does not speak version 1 of the protocol"
                )
            }
            let found = answer["agentCapabilities"]
            abilities = Abilities(
                canLoad: found?["loadSession"]?.boolValue == true,
                canResume: found?["sessionCapabilities"]?["resume"]?.objectValue != nil,
                version: answer["agentInfo"]?["version"]?.stringValue.map { AgentText.line($0, limit: 80) }
            )
            link = .up
        } catch {
            link = .down
            retire()
            throw error
        }
    }

    private var greeting: JSONValue {
        [
            "protocolVersion": 1,
            "clientCapabilities": ["fs": ["readTextFile": false, "writeTextFile": false], "terminal": false],
            "clientInfo": ["name": "tandem", "title": "Tandem", "version": .string(context.version)],
        ]
    }

    private func read(_ process: any AgentProcess, _ id: String) async {
        let output = await AgentOutput.read(process) { take($0, from: id) }
        context.board.withdrawAll(of: id)
        context.note(output, isExpected: isClosed || connection?.id != id)
        guard connection?.id == id else { return }
        let error: AgentError = isClosed ? .closed : context.died(output.end, process)
        connection = nil
        if case .up = link { link = .down }
        endTurns(error)
    }

    /// The program is gone, and its sessions with it.
    private func endTurns(_ error: AgentError) {
        for id in Array(sessions.keys) {
            sessions[id]?.queue = []
            turnEnded(id, .failed, "\(error)")
        }
        sessions = [:]
        calls.endAll(with: error)
    }

    /// Says what an error means.
    private func request(_ method: String, _ parameters: JSONValue, as call: Call) async throws -> JSONValue {
        nextCall += 1
        do {
            return try await send(nextCall, method, parameters, as: call, within: DriverContext.answerLimit)
        } catch let failure as RPCFailure {
            throw context.explained(failure)
        }
    }

    private func send(
        _ id: Int64,
        _ method: String,
        _ parameters: JSONValue,
        as call: Call,
        within limit: Duration?
    ) async throws -> JSONValue {
        guard let connection else { throw isClosed ? AgentError.closed : context.isGone }
        let timer = Task { [weak self, time = context.time] in
            guard let limit, await time.pause(for: limit) else { return }
            await self?.expire(id, limit)
        }
        return try await withCheckedThrowingContinuation { continuation in
            calls.add(id, call, continuation, timer: timer)
            if !connection.process.write(writer.request(id, method, parameters)) {
                calls.end(id, with: .failure(context.died("does not read what it is told", connection.process)))
            }
        }
    }

    private func expire(_ id: Int64, _ limit: Duration) {
        calls.end(id, with: .failure(AgentError.timedOut(name: context.program.name, after: limit)))
    }

    // MARK: What the program says

    private func take(_ line: [UInt8], from connection: String) -> Bool {
        switch RPCMessage(line) {
        case .result(.integer(let id), let result)?:
            switch calls.call(id) {
            case .new(let folder)?: named(result, folder)
            case .reopen(let session)?: sessions[session]?.isReplaying = false
            case .prompt(let session)?: prompted(result, in: session)
            case .other?, nil: break
            }
            calls.end(id, with: .success(result))
        case .failure(.integer(let id), let failure)?: calls.end(id, with: .failure(failure))
        case .result?, .failure?: break
        case nil: return false
        case .notification("session/update", let parameters)?:
            guard let id = AgentText.name(parameters["sessionId"]),
                let update = ACPUpdate(parameters["update"] ?? .null)
            else { return true }
            take(update, in: id, keepsContent: line.count <= Self.contentLimit)
        case .notification?: break
        case .request(let id, let method, let parameters)?: asked(id, method, parameters, connection)
        }
        return true
    }

    private func named(_ answer: JSONValue, _ folder: String) {
        guard let id = AgentText.name(answer["sessionId"], limit: TranscriptStore.idLimit) else { return }
        do {
            let transcript = try transcripts.writer(of: id)
            transcript.sessionBegan(id, folder: folder, version: abilities.version, at: context.time.date)
            try keep(id, transcript)
        } catch {
            context.logger.warning("a transcript cannot be kept", metadata: ["error": "\(error)"])
        }
    }

    private func take(_ update: ACPUpdate, in id: String, keepsContent: Bool) {
        guard let session = sessions[id], !session.isReplaying else { return }
        let date = context.time.date
        switch update {
        case .userText: break
        case .agentText(let text, let message):
            if session.message == nil || message != nil && message != session.message {
                sessions[id]?.messageCount += 1
                sessions[id]?.message = message ?? "message-\(session.messageCount + 1)"
            }
            session.transcript.agentText(text, message: sessions[id]?.message, at: date)
            if session.turnRuns, let message = sessions[id]?.message {
                context.board.delta(context.reference(id), itemID: message, text)
            }
        case .thought(let text):
            sessions[id]?.message = nil
            session.transcript.thought(text, at: date)
        case .toolCall(let call, let update):
            sessions[id]?.message = nil
            var known = session.tools[call] ?? ACPToolCall(id: call)
            known.merge(keepsContent ? update : update.adding("content", []).adding("rawInput", .null))
            note(known, in: id)
            session.transcript.toolCall(known, at: date)
        case .plan(let steps):
            sessions[id]?.message = nil
            session.transcript.plan(steps, at: date)
        }
    }

    private func note(_ call: ACPToolCall, in id: String) {
        if sessions[id]?.tools.updateValue(call, forKey: call.id) == nil {
            sessions[id]?.toolOrder.append(call.id)
            if let count = sessions[id]?.toolOrder.count, count > Self.callLimit,
                let oldest = sessions[id]?.toolOrder.removeFirst()
            {
                sessions[id]?.tools[oldest] = nil
            }
        }
    }

    private func asked(_ id: JSONValue, _ method: String, _ parameters: JSONValue, _ connection: String) {
        let process = self.connection?.process
        let session = AgentText.name(parameters["sessionId"])
        guard
            let (thread, request) = ACPRequest.parse(
                method: method,
                parameters,
                known: { session.flatMap { sessions[$0] }?.tools[$0] }
            ), sessions[thread] != nil
        else {
            _ = process?.write(writer.reply(id, .unsupported))
            return
        }
        // A request that crossed the end of its turn.
        guard sessions[thread]?.isStopping != true || method != "session/request_permission" else {
            _ = process?.write(writer.reply(id, ACPRequest.cancelled))
            return
        }
        let key = RequestKey(connection: connection, id: id)
        guard context.board.ask(request, of: context.reference(thread), key: key) else {
            context.logger.warning("too many requests of agents wait; one was refused")
            let isPermission = method == "session/request_permission"
            _ = process?.write(writer.reply(id, isPermission ? ACPRequest.cancelled : .declined))
            return
        }
    }
}
