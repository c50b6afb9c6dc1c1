import Conversations
import Foundation
import Kernel
import Logging

/// Drives Codex by `codex app-server`: one program for all threads, started when it is first needed.
actor CodexDriver: RPCDriver {
    /// Notifications that nothing here reads, and that can be many.
    private static let unread = [
        "item/commandExecution/outputDelta", "item/fileChange/outputDelta", "item/reasoning/textDelta",
        "item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded", "item/plan/delta",
        "item/mcpToolCall/progress", "thread/tokenUsage/updated", "turn/diff/updated", "turn/plan/updated",
        "account/rateLimits/updated",
    ]
    private static let threadLimit = 256
    private static let changeLimit = 8
    /// Longer announcements of changes are not kept: such a change can only be declined.
    private static let announcementLimit = 2 << 20

    private struct Thread {
        /// This program has it open.
        var isOpen = false
        var turn: String?
        /// When the program took in that the turn shall stop.
        var stopTaken: ContinuousClock.Instant?
        /// Changes of files that the agent announced, by item.
        var changes: [String: JSONValue] = [:]
        var queue: [PreparedPrompt] = []
        var lastText: String?
        var lastError: String?
    }

    enum Call: Sendable {
        /// A thread is open from its answer on.
        case open
        case turn(String)
    }

    let context: DriverContext
    var connection: RPCConnection<Call>
    private var threads: [String: Thread] = [:]
    /// Turns that ended lately: the answer that names a turn can be handled after its end.
    private var endedTurns: [String] = []

    init(_ context: DriverContext) {
        self.context = context
        connection = RPCConnection(hasVersion: false, now: context.time.now)
    }

    // MARK: What people ask for

    func start(in folder: String, _ prompt: PreparedPrompt) async throws -> String {
        try await connect()
        let answer = try await request("thread/start", ["cwd": .string(folder)], as: .open)
        guard let id = AgentText.name(answer["thread"]?["id"]) else {
            throw AgentError.refused(name: context.program.name, reason: "it did not name the new thread")
        }
        context.board.started(context.reference(id))
        try await startTurn(id, prompt)
        return id
    }

    func post(
        _ prompt: PreparedPrompt,
        to id: String,
        in folder: String?
    ) async throws -> (thread: String, delivery: ThreadProgress.Delivery) {
        try await connect()
        if threads[id]?.isOpen != true {
            // Without its turns, which can be longer than a line may be.
            _ = try await request("thread/resume", ["threadId": .string(id), "excludeTurns": true], as: .open)
        }
        if let turn = threads[id]?.turn {
            do {
                _ = try await ask("turn/steer", steering(id, turn, prompt), as: nil)
                return (id, .steered)
            } catch is RPCFailure {
                // A review or a compaction takes nothing in, and the turn may have ended meanwhile.
                if threads[id]?.turn != nil {
                    guard threads[id]?.queue.count ?? 0 < DriverContext.queueLimit else {
                        throw DriverContext.queueIsFull
                    }
                    threads[id]?.queue.append(prompt)
                    return (id, .queued)
                }
            }
        }
        try await startTurn(id, prompt)
        return (id, .started)
    }

    func cancel(_ id: String) async throws -> [PreparedPrompt] {
        let waiting = threads[id]?.queue ?? []
        // At once: the turn may end before the answer, and what waits would begin.
        threads[id]?.queue = []
        guard let turn = threads[id]?.turn else { return waiting }
        // Asked for again: the program was told, and does not stop.
        if let taken = threads[id]?.stopTaken, context.time.now - taken >= DriverContext.stopLimit, giveUp(id) {
            return waiting
        }
        do {
            try await interrupt(turn, in: id)
        } catch {
            // An interruption that is said to have failed leaves all as it was. After the turn's end nothing would begin what waits.
            guard threads[id]?.turn == turn else { return waiting }
            threads[id]?.queue.insert(contentsOf: waiting, at: 0)
            throw error
        }
        return waiting
    }

    private func interrupt(_ turn: String, in id: String) async throws {
        do {
            _ = try await ask(
                "turn/interrupt",
                ["threadId": .string(id), "turnId": .string(turn)],
                as: nil,
                within: DriverContext.stopLimit
            )
            if threads[id]?.turn == turn, threads[id]?.stopTaken == nil { threads[id]?.stopTaken = context.time.now }
        } catch let failure as RPCFailure {
            throw context.explained(failure)
        } catch AgentError.timedOut(let name, let limit) {
            guard threads[id]?.turn != turn || giveUp(id) else { throw AgentError.timedOut(name: name, after: limit) }
        }
    }

    /// Ends a program that does not stop a turn; its threads are whole on disk.
    ///
    /// - Returns: False where other threads need it.
    private func giveUp(_ id: String) -> Bool {
        guard !threads.contains(where: { $0.key != id && $0.value.turn != nil }) else { return false }
        threads[id]?.turn = nil
        context.board.turnEnded(context.reference(id), .idle)
        retire()
        return true
    }

    func deliver(
        _ reply: RPCReply,
        to open: ThreadBoard.Open,
        _ answer: ApprovalAnswer,
        _ option: Approval.Option
    ) throws {
        try deliver(reply, to: open.key)
        // Codex takes no words with a refusal, so they follow as the person's.
        guard option.kind == .decline || option.kind == .cancel, let reason = answer.reason, !reason.isEmpty else {
            return
        }
        let id = open.approval.thread.id
        if option.kind == .cancel, let queue = threads[id]?.queue, threads[id]?.turn != nil {
            // The turn ends with this answer: the words begin the next one.
            if queue.count < DriverContext.queueLimit { threads[id]?.queue.insert(PreparedPrompt(text: reason), at: 0) }
        } else {
            connection.tasks.add { [weak self] in await self?.say(reason, in: id) }
        }
    }

    private func say(_ reason: String, in id: String) async {
        do {
            _ = try await post(PreparedPrompt(text: reason), to: id, in: nil)
        } catch {
            context.logger.notice("a reason for a refusal did not reach the agent", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Turns

    private func input(_ prompt: PreparedPrompt) -> JSONValue {
        let images = prompt.files.filter(\.isImage)
        let text = prompt.text(naming: prompt.files.filter { !$0.isImage })
        var input: [JSONValue] = text.isEmpty ? [] : [["type": "text", "text": .string(text), "text_elements": []]]
        input += images.map { ["type": "localImage", "path": .string($0.path)] }
        return .array(input)
    }

    private func steering(_ id: String, _ turn: String, _ prompt: PreparedPrompt) -> JSONValue {
        ["threadId": .string(id), "expectedTurnId": .string(turn), "input": input(prompt)]
    }

    private func startTurn(_ id: String, _ prompt: PreparedPrompt) async throws {
        _ = try await request("turn/start", ["threadId": .string(id), "input": input(prompt)], as: .turn(id))
    }

    private func began(_ turn: String?, in id: String) {
        guard let turn, !endedTurns.contains(turn), threads[id]?.turn != turn, know(id) else { return }
        threads[id]?.turn = turn
        threads[id]?.stopTaken = nil
        threads[id]?.lastError = nil
        threads[id]?.lastText = nil
        context.board.turnBegan(context.reference(id))
    }

    private func completed(_ turn: JSONValue, in id: String) {
        guard let name = AgentText.name(turn["id"]), !endedTurns.contains(name) else { return }
        endedTurns.append(name)
        if endedTurns.count > 64 { endedTurns.removeFirst() }
        guard var thread = threads[id], thread.turn == nil || thread.turn == name else { return }
        let next = thread.queue.first
        if next != nil { thread.queue.removeFirst() }
        thread.turn = nil
        thread.changes = [:]
        threads[id] = thread
        connection.lastUse = context.time.now
        let reference = context.reference(id)
        switch turn["status"]?.stringValue {
        case "failed"?:
            let message = turn["error"]?["message"]?.stringValue.map { AgentText.line($0) } ?? thread.lastError
            let isSignIn = turn["error"]?["codexErrorInfo"] == "unauthorized"
            let signIn = AgentError.notSignedIn(name: context.program.name, text: message ?? "")
            context.board.turnEnded(reference, .failed, summary: isSignIn ? "\(signIn)" : message)
        case "interrupted"?: context.board.turnEnded(reference, .idle)
        default: context.board.turnEnded(reference, .done, summary: thread.lastText)
        }
        guard let next else { return }
        connection.tasks.add { [weak self] in await self?.goOn(id, next) }
    }

    private func goOn(_ id: String, _ prompt: PreparedPrompt) async {
        do {
            try await startTurn(id, prompt)
        } catch {
            let summary = AgentText.line("\(error)") + PreparedPrompt.sentence(notDelivered: [prompt])
            context.board.turnEnded(context.reference(id), .failed, summary: summary)
        }
    }

    // MARK: The program

    var isAtWork: Bool { threads.values.contains { $0.turn != nil } }

    var greeting: JSONValue {
        [
            "clientInfo": ["name": "tandem", "title": "Tandem", "version": .string(context.version)],
            // Without it requests come without the permissions that a command would get besides.
            "capabilities": [
                "experimentalApi": true, "optOutNotificationMethods": .array(Self.unread.map { .string($0) }),
            ],
        ]
    }

    func greeted(_ answer: JSONValue) { connection.notify("initialized", nil) }

    func lost(_ error: AgentError) {
        for (thread, known) in threads where known.turn != nil {
            // Codex itself keeps the history, so there is no other place for the words of what waited.
            let summary = "\(error)" + PreparedPrompt.sentence(notDelivered: known.queue)
            context.board.turnEnded(context.reference(thread), .failed, summary: summary)
        }
        threads = [:]
    }

    func ask(_ method: String, _ parameters: JSONValue, as call: Call?) async throws -> JSONValue {
        try await ask(method, parameters, as: call, within: DriverContext.answerLimit)
    }

    /// Asks again while the program has too much to do.
    private func ask(
        _ method: String,
        _ parameters: JSONValue,
        as call: Call?,
        within limit: Duration
    ) async throws -> JSONValue {
        var backoff = Backoff(
            steps: [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4)],
            jitter: 0.5
        )
        while true {
            do {
                let number = connection.number()
                return try await send(number, method, parameters, as: call, within: limit)
            } catch let failure as RPCFailure where failure.code == RPCFailure.overloaded {
                guard backoff.attempt < 6 else { throw failure }
                try await context.time.sleep(for: backoff.next())
            }
        }
    }

    // MARK: What the program says

    func answered(_ call: Call, _ result: JSONValue) {
        switch call {
        case .open:
            if let thread = AgentText.name(result["thread"]?["id"]), know(thread) { threads[thread]?.isOpen = true }
        case .turn(let thread): began(AgentText.name(result["turn"]?["id"]), in: thread)
        }
    }

    /// Makes room for a thread.
    ///
    /// - Returns: False where every known thread is at work.
    private func know(_ id: String) -> Bool {
        if threads[id] != nil { return true }
        if threads.count >= Self.threadLimit {
            guard let idle = threads.first(where: { $0.value.turn == nil })?.key else { return false }
            threads[idle] = nil
        }
        threads[id] = Thread()
        return true
    }

    func noticed(_ method: String, _ parameters: JSONValue, from program: String, length: Int) {
        guard let id = AgentText.name(parameters["threadId"]) else { return }
        switch method {
        case "turn/started": began(AgentText.name(parameters["turn"]?["id"]), in: id)
        case "turn/completed": completed(parameters["turn"] ?? .null, in: id)
        case "item/started":
            guard let item = parameters["item"], item["type"]?.stringValue == "fileChange",
                let name = AgentText.name(item["id"]), let changes = item["changes"], length <= Self.announcementLimit,
                know(id)
            else { return }
            if threads[id]?.changes.count ?? 0 >= Self.changeLimit { threads[id]?.changes = [:] }
            threads[id]?.changes[name] = changes
        case "item/agentMessage/delta":
            guard let item = AgentText.name(parameters["itemId"]), let text = parameters["delta"]?.stringValue else {
                return
            }
            context.board.delta(context.reference(id), itemID: item, text)
        case "item/completed":
            guard let item = parameters["item"] else { return }
            if let name = AgentText.name(item["id"]) { threads[id]?.changes[name] = nil }
            if item["type"]?.stringValue == "agentMessage", let text = item["text"]?.stringValue {
                threads[id]?.lastText = AgentText.line(text)
            }
        case "error":
            threads[id]?.lastError = parameters["error"]?["message"]?.stringValue.map { AgentText.line($0) }
        case "serverRequest/resolved":
            if let request = parameters["requestId"] {
                context.board.withdraw(RequestKey(connection: program, id: request))
            }
        case "thread/closed": threads[id]?.isOpen = false
        default: break
        }
    }

    func asked(_ id: JSONValue, _ method: String, _ parameters: JSONValue, by program: String) {
        if method == "currentTime/read" {
            return connection.reply(
                id,
                .result(["currentTimeAt": .integer(context.time.date.millisecondsSince1970 / 1000)])
            )
        }
        guard
            let (thread, request) = CodexRequest.parse(
                method: method,
                parameters,
                changes: { threads[AgentText.name(parameters["threadId"]) ?? ""]?.changes[$0] }
            )
        else {
            connection.reply(id, .unsupported)
            return
        }
        if !context.ask(request, of: thread, by: program, id) { connection.reply(id, .declined) }
    }
}
