public import Accounts
import DequeModule
public import Kernel
import Synchronization

/// Sends the messages of one account: those of a conversation one after the other in the order of the calls, those of several beside each other, so
/// that a slow upload to one person holds up nobody else. Source: rules Q1 to Q8.
///
/// It is no actor, since a call to one may be overtaken by the next: ``enqueue(_:)`` has its place in the queue before it returns.
public final class SendQueue: Sendable {
    private struct Lane {
        var waiting: Deque<OutgoingMessage> = []
        /// Set with the first message and not by the task that sends: two calls before it begins would start two. Source: rule Q3.
        var isRunning = false
    }

    private struct State {
        var lanes: [ConversationID: Lane] = [:]
        /// The ids of all that wait or are being sent.
        var ids: Set<String> = []
        var isEnded = false
    }

    /// The account whose messages these are.
    public let account: UserID
    private let pipeline: any OutgoingPipeline
    private let journal: any SendJournal
    private let policy: SendPolicy
    private let time: any TimeSource
    private let state = Mutex(State())
    private let tasks = OwnedTasks()

    public init(
        of account: UserID,
        through pipeline: any OutgoingPipeline,
        journal: any SendJournal,
        policy: SendPolicy = SendPolicy(),
        time: any TimeSource = .system
    ) {
        self.account = account
        self.pipeline = pipeline
        self.journal = journal
        self.policy = policy
        self.time = time
    }

    /// Messages that wait or are being sent.
    public var count: Int { state.withLock(\.ids.count) }

    /// Takes a message behind all earlier ones of its conversation. One whose id is in the queue already is not taken twice.
    ///
    /// - Throws: ``ChatError/queueEnded``, ``ChatError/queueFull(limit:)``; ``ChatError/notYours`` for another's conversation.
    public func enqueue(_ message: OutgoingMessage) throws(ChatError) {
        guard message.conversation.peer(of: account) != nil else { throw .notYours }
        let refusal: ChatError? = state.withLock { state in
            if state.isEnded { return .queueEnded }
            if state.ids.contains(message.id) { return nil }
            if state.ids.count >= policy.limit { return .queueFull(limit: policy.limit) }
            state.ids.insert(message.id)
            var lane = state.lanes[message.conversation] ?? Lane()
            lane.waiting.append(message)
            if !lane.isRunning {
                lane.isRunning = true
                tasks.add { [self] in await drain(message.conversation) }
            }
            state.lanes[message.conversation] = lane
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Takes back a message whose turn has not come. False for one that is being sent: the server may have it. Source: rule B19.
    public func cancel(_ id: String) -> Bool {
        state.withLock { state in
            for (conversation, lane) in state.lanes {
                guard let index = lane.waiting.firstIndex(where: { $0.id == id }) else { continue }
                state.lanes[conversation]?.waiting.remove(at: index)
                state.ids.remove(id)
                return true
            }
            return false
        }
    }

    /// The account is signed out: stops all sending and returns when all of it has ended. Nothing is noted as failed: what was not sent is in the
    /// journal for the next time this account is signed in. Source: rule Q7.
    public func end() async {
        state.withLock { state in
            state.isEnded = true
            for conversation in state.lanes.keys { state.lanes[conversation]?.waiting = [] }
        }
        await tasks.end()
        state.withLock { $0 = State(isEnded: true) }
    }

    private func drain(_ conversation: ConversationID) async {
        while let message = next(conversation) {
            await deliver(message)
        }
    }

    /// The next message of a conversation. Without one its lane ends, in the same moment: a message that comes now starts it anew.
    private func next(_ conversation: ConversationID) -> OutgoingMessage? {
        state.withLock { state in
            guard !state.isEnded, let message = state.lanes[conversation]?.waiting.popFirst() else {
                state.lanes[conversation] = nil
                return nil
            }
            return message
        }
    }

    /// Sends one message. Whatever goes wrong, it ends as sent or as failed, unless the queue itself ends. Source: rule Q5.
    private func deliver(_ message: OutgoingMessage) async {
        let answer: SendMessageAnswer
        do {
            try await journal.note(.sending(id: message.id))
            answer = try await sent(message)
        } catch {
            guard leave(message.id) else { return }
            // Where even this cannot be kept the row is sent again under its id after a restart, which the server takes once.
            let failure = SendEvent.failed(id: message.id, reason: Self.reason(error), error: error as? ChatError)
            try? await journal.note(failure)
            return
        }
        _ = leave(message.id)
        // The same holds for a message that the server has.
        try? await journal.note(.sent(answer))
    }

    /// Takes the id out of the queue before the end is told: a person who sends the message again at that very moment is heard.
    ///
    /// - Returns: False where the queue itself has ended.
    private func leave(_ id: String) -> Bool {
        state.withLock { state in
            state.ids.remove(id)
            return !state.isEnded
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? any ClassifiedError)?.description ?? "The message was not sent: \(error). Send it again."
    }

    /// Only a server that does not answer is tried again; a refusal stays one.
    private static func isTransport(_ error: any Error) -> Bool {
        guard let error = error as? any ClassifiedError else { return false }
        if let error = error as? ChatError { return error.isTransport }
        return error.facts.kind == .offline || error.facts.kind == .away
    }

    private func sent(_ first: OutgoingMessage) async throws -> SendMessageAnswer {
        var message = first
        var backoff = policy.backoff
        var attempt = 1
        while true {
            do {
                // Each file's key stays in `message`, also where a later file fails.
                try await upload(&message)
                return try await send(message)
            } catch let error where Self.isTransport(error) && attempt < policy.attempts {
                attempt += 1
                try await journal.note(.retrying(id: message.id, attempt: attempt))
                guard await time.pause(for: backoff.next()) else { throw CancellationError() }
            }
        }
    }

    private func send(_ message: OutgoingMessage) async throws -> SendMessageAnswer {
        let payload =
            switch message.content {
            case .payload(let payload): payload
            case .media(let media): try media.payload()
            }
        try payload.check()
        let request = SendMessage(
            to: .conversation(message.conversation),
            payload,
            clientMessageID: message.id,
            receiveID: message.receiveID
        )
        let answer = try await withTimeout(
            policy.sendTimeout,
            on: time,
            throwing: ChatError.timedOut(after: policy.sendTimeout)
        ) { [pipeline] in try await pipeline.send(request) }
        // Another id would make a second row of the same message. Source: rule B2.
        guard answer.clientMessageID == message.id else { throw ChatError.wrongAnswer }
        return answer
    }

    /// Uploads those files of a message that have no key yet, in order.
    private func upload(_ message: inout OutgoingMessage) async throws {
        guard case .media(var media) = message.content else { return }
        guard media.files.count <= ChatLimits.pictures else {
            throw ChatError.tooMany("files", limit: ChatLimits.pictures)
        }
        let count = Double(media.files.count)
        for index in media.files.indices where media.files[index].objectKey == nil {
            let (file, kind, id) = (media.files[index], media.kind, message.id)
            media.files[index] = try await withTimeout(
                policy.uploadTimeout,
                on: time,
                throwing: ChatError.timedOut(after: policy.uploadTimeout)
            ) { [pipeline, journal] in
                try await pipeline.upload(file, of: kind) { part in
                    journal.progressed(id, (Double(index) + min(max(part, 0), 1)) / count)
                }
            }
            message.content = .media(media)
            try await journal.note(.uploaded(message))
        }
    }
}
