import Conversations
import Foundation
import Kernel
import Logging

/// Drives an agent of the Agent Client Protocol, version 1: one program for all sessions. What happens in them is written to our own
/// transcripts, since the protocol has no history.
actor ACPDriver: RPCDriver {
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
        /// The id of the message that is being written.
        var message: String?
        var messageCount = 0
        var transcript: TranscriptWriter
    }

    enum Call: Sendable {
        case new(folder: String)
        case reopen(String)
        case prompt(String)
    }

    private struct Abilities {
        var canLoad = false
        var canResume = false
        var version: String?
    }

    let context: DriverContext
    var connection: RPCConnection<Call>
    private let transcripts: TranscriptStore
    private var abilities = Abilities()
    private var sessions: [String: Session] = [:]
    /// Sessions that are being opened again at this moment: prompts wait for that.
    private var reopening: [String: Task<Void, any Error>] = [:]

    init(_ context: DriverContext, transcripts: TranscriptStore) {
        self.context = context
        self.transcripts = transcripts
        connection = RPCConnection(hasVersion: true, now: context.time.now)
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
    ) async throws -> (thread: String, delivery: ThreadProgress.Delivery) {
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
            throw DriverContext.queueIsFull
        }
        sessions[id]?.queue.append(prompt)
        return (id, .queued)
    }

    func cancel(_ id: String) async -> [PreparedPrompt] {
        guard let session = sessions[id], connection.id != nil else { return [] }
        guard session.turnRuns else {
            // Requests that the agent makes beside its turns are stopped, too.
            answerWaiting(in: id)
            return []
        }
        if session.isStopping, !sessions.contains(where: { $0.key != id && $0.value.turnRuns }) {
            // Asked for a second time: the agent does not listen, and no other thread needs its program.
            retire()
            return session.queue
        }
        sessions[id]?.isStopping = true
        dropQueue(of: id)
        connection.notify("session/cancel", ["sessionId": .string(id)])
        answerWaiting(in: id)
        return session.queue
    }

    /// Every request that waits must hear that the turn is over.
    private func answerWaiting(in id: String) {
        for open in context.board.takeAll(of: context.reference(id)) where open.key.connection == connection.id {
            connection.reply(open.key.id, open.stopping)
        }
    }

    /// Prompts that waited and reach the agent no more are named in the transcript: their words would be nowhere.
    private func dropQueue(of id: String) {
        guard let session = sessions[id], !session.queue.isEmpty else { return }
        sessions[id]?.queue = []
        for prompt in session.queue { session.transcript.dropped(prompt, at: context.time.date) }
    }

    func deliver(
        _ reply: RPCReply,
        to open: ThreadBoard.Open,
        _ answer: ApprovalAnswer,
        _ option: Approval.Option
    ) throws {
        try deliver(reply, to: open.key)
        let id = open.approval.thread.id
        if option.id == ACPRequest.stopOption {
            connection.tasks.add { [weak self] in _ = await self?.cancel(id) }
        } else if option.kind == .decline, let reason = answer.reason, !reason.isEmpty, sessions[id]?.turnRuns == true,
            sessions[id]?.queue.count ?? 0 < DriverContext.queueLimit
        {
            // The protocol takes no words with a refusal, so they are the next prompt.
            sessions[id]?.queue.insert(PreparedPrompt(text: reason), at: 0)
        }
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
        let call = connection.number()
        connection.tasks.add { [weak self] in await self?.turn(call, parameters, in: id) }
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
        connection.lastUse = context.time.now
        // An agent may still ask for something beside its turns. After a turn that was stopped or broke, nothing waits for an answer any
        // more.
        if outcome != .done { answerWaiting(in: id) }
        context.board.turnEnded(
            context.reference(id),
            outcome,
            summary: reason ?? text.map { AgentText.line($0) },
            keepsRequests: true
        )
        if let next { begin(next, in: id) }
    }

    // MARK: The program

    var greeting: JSONValue {
        [
            "protocolVersion": 1,
            "clientCapabilities": [
                "fs": ["readTextFile": false, "writeTextFile": false], "terminal": false,
                "elicitation": ["form": [:], "url": [:]],
            ],
            "clientInfo": ["name": "tandem", "title": "Tandem", "version": .string(context.version)],
        ]
    }

    func greeted(_ answer: JSONValue) throws {
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
    }

    func lost(_ error: AgentError) {
        for id in Array(sessions.keys) {
            dropQueue(of: id)
            turnEnded(id, .failed, "\(error)")
        }
        sessions = [:]
    }

    // MARK: What the program says

    func answered(_ call: Call, _ result: JSONValue) {
        switch call {
        case .new(let folder): named(result, folder)
        case .reopen(let session): sessions[session]?.isReplaying = false
        case .prompt(let session): prompted(result, in: session)
        }
    }

    func noticed(_ method: String, _ parameters: JSONValue, from program: String, length: Int) {
        if method == "$/cancel_request", let request = parameters["requestId"] {
            // The protocol wants an answer to what was taken back, too.
            if context.board.withdraw(RequestKey(connection: program, id: request)) {
                connection.reply(request, ACPRequest.takenBack)
            }
            return
        }
        guard method == "session/update", let id = AgentText.name(parameters["sessionId"]),
            let update = ACPUpdate(parameters["update"] ?? .null)
        else { return }
        take(update, in: id, keepsContent: length <= Self.contentLimit)
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
            note(update, of: call, in: id, session, keepsContent: keepsContent)
        case .plan(let steps):
            sessions[id]?.message = nil
            session.transcript.plan(steps, at: date)
        case .title(let title): session.transcript.named(title, id, at: date)
        }
    }

    private func note(_ update: JSONValue, of name: String, in id: String, _ session: Session, keepsContent: Bool) {
        var call = session.tools[name] ?? ACPToolCall(id: name)
        call.merge(keepsContent ? update : update.adding("content", []).adding("rawInput", .null))
        if !keepsContent { call.isPartial = true }
        session.transcript.toolCall(call, at: context.time.date)
        if sessions[id]?.tools.updateValue(call, forKey: call.id) == nil {
            sessions[id]?.toolOrder.append(call.id)
            if let count = sessions[id]?.toolOrder.count, count > Self.callLimit,
                let oldest = sessions[id]?.toolOrder.removeFirst()
            {
                sessions[id]?.tools[oldest] = nil
            }
        }
    }

    func asked(_ id: JSONValue, _ method: String, _ parameters: JSONValue, by program: String) {
        let session = AgentText.name(parameters["sessionId"])
        guard
            let (thread, request) = ACPRequest.parse(
                method: method,
                parameters,
                known: { session.flatMap { sessions[$0] }?.tools[$0] }
            ), sessions[thread] != nil
        else {
            connection.reply(id, .unsupported)
            return
        }
        // A request that crossed the end of its turn.
        if let session = sessions[thread], session.turnRuns, session.isStopping,
            let stopped = ACPRequest.stopped(method)
        {
            connection.reply(id, stopped)
            return
        }
        if method == "session/request_permission" { noteAsked(parameters["toolCall"] ?? .null, in: thread) }
        if !context.ask(request, of: thread, by: program, id) {
            connection.reply(id, ACPRequest.stopped(method) ?? .declined)
        }
    }

    /// Some agents tell of a call first by asking for it, and later only of what changed: the transcript needs what the request told.
    private func noteAsked(_ update: JSONValue, in id: String) {
        guard let session = sessions[id], !session.isReplaying, let name = AgentText.name(update["toolCallId"]) else {
            return
        }
        let keepsContent = update.canonicalBytes.count <= Self.contentLimit
        note(update, of: name, in: id, session, keepsContent: keepsContent)
    }
}
