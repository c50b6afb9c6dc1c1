import CommandClient
package import Commands
package import Conversations
import Feed
package import Kernel
import Synchronization

/// Threads of computers, followed for as long as commands and pages of this device want: their events as they come, and the subscription
/// asked for again before it ends.
package final class ThreadFollowing: Sendable {
    /// A third of what a subscription lasts.
    package static let renewal: Duration = .seconds(30)
    /// Agents put a file away for a moment while they write it anew: so long after a thread is gone the computer is asked whether it is.
    package static let absence: Duration = .seconds(3)

    private struct Key: Hashable {
        let computer: String
        let thread: ThreadReference?
    }

    /// The subject of a subscription: a thread from where its follower stands, or the list.
    package struct Topic: Sendable {
        package let thread: ThreadReference?
        package let after: ConversationCursor?

        package init(_ thread: ThreadReference?, after: ConversationCursor? = nil) {
            self.thread = thread
            self.after = after
        }
    }

    private let time: any TimeSource
    private let followers = Followers<Key>()

    package init(time: any TimeSource = .system) { self.time = time }

    /// Reports `{"subscribed": …}` with the first answer, then each event of the topic as `{"event": …, …}`, until the computer is forgotten
    /// or the follower has gone. What was missed while the computer was away comes as an event when it is back.
    ///
    /// - Parameter refusals: Raised when the computer said that this device may not read its conversations: then it is asked at once.
    /// - Throws: The computer's first refusal, and later that this device may not be told any more, or that the thread is gone.
    package func follow(
        _ topic: Topic,
        of computer: any Peer,
        refusals: AsyncStream<Void>? = nil,
        _ report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws {
        let key = Key(computer: computer.id, thread: topic.thread)
        let events = try await computer.events()
        let reachability = try await computer.reachability()
        followers.add(key)
        defer {
            followers.remove(key) {
                _ = try? await computer.call(
                    ThreadMethods.unsubscribe,
                    ThreadSubscription(topic.thread.map(ThreadChoice.init))
                )
            }
        }
        let first = try await Self.begin(topic, computer)
        let position = Position(first.newer ?? topic.after)
        try await report(["subscribed": first.wire])
        let questions = FeedQuestions(renewal: Self.renewal, time: time)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in events where Self.concerns(event, topic.thread) {
                    position.note(event)
                    try await report(Self.json(event))
                    if topic.thread != nil, event.isOf(.threadRemoved) { questions.ask(in: Self.absence) }
                }
            }
            if let refusals {
                group.addTask { for await _ in refusals { questions.ask() } }
            }
            group.addTask {
                try await questions.run(while: reachability, isFinal: { Self.isRefusal($0) }) {
                    () async throws -> Answer in
                    let asked = position.cursor
                    return Answer(asked: asked, page: try await Self.subscribe(topic.thread, after: asked, computer))
                } take: { (answer: Answer) in
                    guard let event = answer.event(of: topic.thread) else { return false }
                    position.move(from: answer.asked, to: answer.page.newer)
                    try await report(Self.json(event))
                    return !answer.page.isEnd
                }
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch RemoteError.notConnected {
                return
            }
        }
    }

    /// The first answer. A program that ended does not answer what it was asked, so the next one is asked anew.
    private static func begin(_ topic: Topic, _ computer: any Peer) async throws -> ThreadPage {
        while true {
            let reachability = try await computer.reachability()
            let answer = try await withThrowingTaskGroup(of: ThreadPage?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await subscribe(topic.thread, after: topic.after, computer) }
                group.addTask {
                    var wasReached = true
                    for await isReached in reachability {
                        if isReached, !wasReached { return nil }
                        wasReached = isReached
                    }
                    try Task.checkCancellation()
                    // The computer is forgotten.
                    throw RemoteError.notConnected
                }
                return try await group.next() ?? nil
            }
            if let answer { return answer }
        }
    }

    /// Whether the right was taken back, or the thread is gone. Away is none of these: the next word comes when the computer is back.
    private static func isRefusal(_ error: any Error) -> Bool {
        switch FailureReport(error).kind {
        case .away, .offline, .gone, .cancelled, .internal: false
        default: true
        }
    }

    private static func subscribe(
        _ thread: ThreadReference?,
        after cursor: ConversationCursor?,
        _ computer: any Peer
    ) async throws -> ThreadPage {
        try await computer.call(
            ThreadMethods.subscribe,
            ThreadSubscription(thread.map(ThreadChoice.init), after: cursor)
        )
    }

    private static func json(_ event: RemoteEvent) -> JSONValue {
        .object(event.members.merging(["event": .string(event.name)]) { $1 })
    }

    private static let listEvents: Set<EventKind> = [
        .threadChanged, .threadRemoved, .threadApproval, .threadApprovalClosed,
    ]

    private static func concerns(_ event: RemoteEvent, _ thread: ThreadReference?) -> Bool {
        guard let thread else { return listEvents.contains { event.isOf($0) } }
        if event.isOf(.threadItems) || event.isOf(.threadDelta) || event.isOf(.threadRemoved)
            || event.isOf(.threadApprovalClosed)
        {
            return ThreadReference(.object(event.members)) == thread
        }
        if event.isOf(.threadChanged) { return event.members["thread"].flatMap(ThreadReference.init) == thread }
        if event.isOf(.threadApproval) {
            return event.members["approval"].flatMap(Approval.init(wire:))?.thread == thread
        }
        return false
    }

    package func close() async { await followers.close() }
}

/// The answer to a question for what comes behind a cursor.
private struct Answer: Sendable {
    let asked: ConversationCursor?
    let page: ThreadPage

    /// The answer as an event; nil where it has nothing new.
    func event(of thread: ThreadReference?) -> RemoteEvent? {
        guard let thread, let newer = page.newer, page.replaces || newer != asked else { return nil }
        var members = page.itemMembers.merging(thread.members) { $1 }
        // Not where the follower is by now: an event may have told of these items meanwhile.
        members["after"] = asked.map { .string($0.text) }
        return RemoteEvent(.threadItems, members)
    }
}

/// The cursor up to which a follower was told.
private final class Position: Sendable {
    private let value: Mutex<ConversationCursor?>

    init(_ cursor: ConversationCursor?) { value = Mutex(cursor) }

    var cursor: ConversationCursor? { value.withLock { $0 } }

    /// Goes on with the answer to a question from `asked` on: events that came meanwhile may be further.
    func move(from asked: ConversationCursor?, to newer: ConversationCursor?) {
        value.withLock { if $0 == asked { $0 = newer } }
    }

    /// Goes on with an event. A gap stays: the follower asks for what is missing itself.
    func note(_ event: RemoteEvent) {
        guard event.isOf(.threadItems) else { return }
        let newer = event.members["newer"]?.stringValue.flatMap(ConversationCursor.init(text:))
        value.withLock { $0 = newer ?? $0 }
    }
}
