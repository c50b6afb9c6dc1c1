public import CommandClient
public import Commands
import Foundation
import Kernel
import Logging
public import Rights
import Storage

/// One computer's notifications on this phone: catches up with the computer whenever it is reached, takes what it tells, and carries the
/// person's marks to it. Source: `docs/notifications.md`, "How it gets to a phone".
public actor NotificationInbox: ComputerPart {
    /// How long after events the computer is told that they are kept: events in between cost one call.
    static let acknowledgement: Duration = .seconds(1)
    /// How long a mark waits for its answer before it counts as queued.
    static let patience: Duration = .seconds(10)
    /// How long a computer that failed to answer is let alone.
    static let retries = Backoff(steps: [.seconds(2), .seconds(10), .seconds(60)], jitter: 0)
    /// Events that are taken in one transaction; beyond that the computer is asked.
    private static let eventLimit = 500

    /// How the computer is caught up with.
    private enum Speech {
        /// By the numbers of its changes.
        case numbers
        /// It knows only the documented methods.
        case documented
    }

    let computer: ComputerContext
    /// All that the phone keeps, of every computer.
    public nonisolated let phone: PhoneNotifications
    private var speech = Speech.numbers
    private var isReached = false
    private var isAsking = false
    private var isAskedAgain = false
    /// Whether the computer may have lost where this phone is woken: with the right, or because its database was put back to an earlier
    /// state.
    private var isPushInDoubt = false
    private var acknowledged: NotificationPosition?
    private var events: [NotificationEvent] = []
    private var taking: Task<Void, Never>?
    private var timer = DeadlineTimer()
    private var backoff = NotificationInbox.retries
    private var recent = ExpiringSet<RecentNotifications.Key>(capacity: 256, lifetime: .seconds(30))
    private let tasks = OwnedTasks()

    init(_ computer: ComputerContext, _ phone: PhoneNotifications) {
        self.computer = computer
        self.phone = phone
    }

    /// The computer's id.
    public nonisolated var id: String { computer.id }

    // MARK: The computer is there, or not

    public func reached() async {
        isReached = true
        // It may be another version by now.
        speech = .numbers
        isPushInDoubt = true
        backoff.reset()
        ask()
    }

    public func lost() async {
        isReached = false
        timer.cancel()
    }

    /// Another program may know more, or count otherwise.
    public func restarted() async {
        speech = .numbers
        if isReached { ask() }
    }

    /// Asks for what was missed without the right, once this phone has it.
    public func allowed(_ rights: Set<Right>) async {
        guard rights.contains(.notification) else { return timer.cancel() }
        // The computer forgot it with the right.
        isPushInDoubt = true
        backoff.reset()
        ask()
    }

    public func close() async {
        isReached = false
        timer.cancel()
        await tasks.end()
        await taking?.value
        await phone.closed(id)
    }

    // MARK: Catching up

    /// Brings the list up to date: what a person asks for by pulling it down.
    ///
    /// - Throws: ``RemoteFailure``, ``RemoteError``, and what the phone's database throws.
    public func refresh() async throws {
        try await catchUp()
        await phone.shown()
    }

    /// A computer in the clear knows only the documented wire, and is asked nothing that no person asks for: what it pushes is taken, and
    /// its history is read when the list is refreshed.
    private var isDocumentedOnly: Bool { computer.sendFrame == nil }

    private func ask() {
        isAskedAgain = true
        guard !isAsking, isReached, !isDocumentedOnly else { return }
        isAsking = true
        tasks.add { [weak self] in await self?.answerAsks() }
    }

    private func answerAsks() async {
        while isAskedAgain, isReached {
            isAskedAgain = false
            do {
                try await catchUp()
                _ = try await tellPush()
                backoff.reset()
            } catch {
                isAskedAgain = true
                if isReached, Self.isWorthRepeating(error) { ring(in: backoff.next()) }
                break
            }
        }
        isAsking = false
    }

    private func catchUp() async throws {
        if speech == .numbers, !isDocumentedOnly {
            do {
                return try await catchUpByNumbers()
            } catch let failure as RemoteFailure where Self.isUnknownMethod(failure) {
                speech = .documented
            }
        }
        try await readHistory()
    }

    private func catchUpByNumbers() async throws {
        var isBehind = true
        while isBehind {
            try Task.checkCancellation()
            let asked = try await phone.store.position(of: id)
            let answer = try await commands.sync(NotificationSyncQuery(epoch: asked.epoch, after: asked.after))
            acknowledged = asked
            let applied = try await phone.store.apply(answer, asked: asked, from: id)
            await phone.take(applied.news)
            isBehind = applied.next == .ask
            // A computer with ten thousand rows is not faster than they are shown.
            if isBehind { await phone.shown() }
        }
        if try await phone.store.position(of: id) != acknowledged { ring(in: Self.acknowledgement) }
    }

    private func readHistory() async throws {
        let newest = try await phone.store.newestPosition()
        let history = try await commands.getHistory()
        await phone.take(try await phone.store.apply(history, newest: newest, from: id))
    }

    /// Tells the computer where this phone is woken, if it does not know, and once after it may have lost it.
    ///
    /// - Returns: False where it cannot be told now, or cannot wake phones.
    func tellPush() async throws -> Bool {
        let isInDoubt = isReached && isPushInDoubt
        guard let text = try await phone.store.pushToTell(id, isInDoubt: isInDoubt) else { return true }
        guard isReached else { return false }
        // Before the call: what makes it doubtful meanwhile counts.
        if isInDoubt { isPushInDoubt = false }
        do {
            if text.isEmpty {
                try await commands.unregisterPush()
            } else {
                let wire = RemoteParameters(try JSONValue(parsing: text.utf8))
                var registration = try PushRegistration(wire: wire)
                registration.computer = id
                try await commands.registerPush(registration)
            }
        } catch let failure as RemoteFailure where Self.isUnknownMethod(failure) {
            return false
        } catch {
            if isInDoubt { isPushInDoubt = true }
            throw error
        }
        try await phone.store.notePushTold(text, to: id)
        return true
    }

    private func ring(in duration: Duration) {
        let time = phone.time
        timer.set(to: time.now + duration, on: time) { [weak self] in await self?.rang($0) }
    }

    private func rang(_ deadline: ContinuousClock.Instant) {
        guard timer.rang(deadline) else { return }
        ask()
    }

    /// Whether a call is worth repeating soon. A missing right and an answer that cannot be read are the same a minute later: they are
    /// asked for when the computer is reached again.
    private static func isWorthRepeating(_ error: any Error) -> Bool {
        switch error {
        case let failure as RemoteFailure:
            [FailureCode.tooMany, FailureCode.busy, FailureCode.internalError].contains(failure.code)
        case RemoteError.malformedResult, RemoteError.notPaired, is CancellationError: false
        default: true
        }
    }

    private static func isUnknownMethod(_ failure: RemoteFailure) -> Bool {
        failure.code == FailureCode.unknownMethod || failure.code == FailureCode.unsupported
    }

    // MARK: What it tells

    public func receive(_ event: RemoteEvent, number: UInt64?) async {
        guard let event = NotificationEvent(event) else { return }
        guard event.sequence != nil, event.epoch != nil else { return await receiveUncounted(event, number: number) }
        if events.count < Self.eventLimit { events.append(event) } else { isAskedAgain = true }
        let taking = self.taking ?? Task { await takeEvents() }
        self.taking = taking
        // One that the computer kept is let go there once this returns.
        if number != nil { await taking.value }
    }

    /// Takes all events that came meanwhile, in one transaction.
    private func takeEvents() async {
        while !events.isEmpty {
            let batch = events
            events = []
            do {
                let applied = try await phone.store.apply(batch, from: id)
                await phone.take(applied.news)
                if applied.next == .ask || isAskedAgain { ask() } else { ring(in: Self.acknowledgement) }
            } catch {
                phone.logger.error(
                    "notifications not kept",
                    metadata: ["computer": "\(id)", "reason": "\(StorageError.telling(error))"]
                )
                ring(in: backoff.next())
            }
        }
        taking = nil
    }

    private func receiveUncounted(_ event: NotificationEvent, number: UInt64?) async {
        var event = event
        if case .received(let notification) = event.kind {
            event.kind = .received(notification.dated(phone.time.date))
            guard recent.insert(RecentNotifications.Key(notification, of: id), now: phone.time.now) else { return }
        }
        do {
            // Documented: while they are switched off here, pushes are dropped.
            if number == nil, try await !phone.settings().enabled { return }
            await phone.take(try await phone.store.applyUncounted(event, number: number, from: id))
        } catch {
            phone.logger.error(
                "notification not kept",
                metadata: ["computer": "\(id)", "reason": "\(StorageError.telling(error))"]
            )
        }
    }

    // MARK: The person's marks

    /// The computer's methods, called now. Throws as ``Peer/call(_:_:timeout:)``.
    public nonisolated var commands: NotificationCommands { NotificationCommands(InboxPeer(computer: computer)) }

    /// Marks or deletes. It shows at once; where the computer refuses, it is as before again. A mark by id reaches as far as the person can
    /// have seen: a text that comes later under the same id stays as it is.
    ///
    /// - Throws: ``RemoteFailure`` or ``OfflineFailure`` when the computer refused; what the phone's database or queue throws.
    public func mark(_ mark: NotificationMark) async throws -> NotificationMarked {
        let command = UUID()
        do {
            let (method, params) = mark.call
            try method.check(params)
        } catch {
            throw RemoteError.invalidArgument("\(error)")
        }
        let outcomes = phone.outcomes()
        let numbered = try await phone.begin(mark, at: id, by: command)
        let (method, params) = numbered.call
        do {
            let answer: JSONValue
            if let enqueue = computer.enqueue {
                let kept = try await enqueue(method.name, params, command, numbered.joining).command.id
                if kept != command { try await phone.join(command, to: kept) }
                await phone.isQueued(command)
                guard isReached, let result = await outcome(of: kept, in: outcomes) else { return .queued }
                answer = try result.get()
            } else {
                answer = try await callInTheClear(numbered)
                await phone.endMark(command, isDone: true)
                await phone.isQueued(command)
            }
            let count = (try? NotificationCount(wire: answer)) ?? NotificationCount(0)
            // The command may have carried earlier marks, too.
            return .done(count: min(count.count, mark.ids?.count ?? .max))
        } catch {
            await phone.isQueued(command)
            // One that waits goes on waiting when its asker has gone.
            if !(error is CancellationError) || computer.enqueue == nil {
                await phone.endMark(command, isDone: false)
            }
            throw error
        }
    }

    /// A mark at a computer that knows the documented methods only, which name one notification each.
    ///
    /// - Returns: Its answer; of several ids how many were done, since one that is gone there keeps none of the others.
    private func callInTheClear(_ mark: NotificationMark) async throws -> JSONValue {
        guard let ids = mark.ids, ids.count > 1 else {
            let (method, params) = mark.call
            let answer = try await computer.call(method.name, params, Self.patience, true)
            if let refusal = OfflineFailure(refusalIn: answer) { throw refusal }
            return answer
        }
        var count = 0
        var refusal: OfflineFailure?
        for id in ids {
            let (method, params) = mark.naming(id).call
            let answer = try await computer.call(method.name, params, Self.patience, true)
            if let refused = OfflineFailure(refusalIn: answer) {
                refusal = refusal ?? refused
            } else if try NotificationCount(wire: answer).reason == nil {
                count += 1
            }
        }
        if count == 0, let refusal { throw refusal }
        return NotificationCount(count).wire
    }

    /// Nil where the computer does not answer within the person's patience.
    private func outcome(
        of command: UUID,
        in outcomes: AsyncStream<PhoneNotifications.Ending>
    ) async -> Result<JSONValue, OfflineFailure>? {
        let deadline = phone.time.now + Self.patience
        return await withTaskGroup(of: Result<JSONValue, OfflineFailure>?.self) { [time = phone.time] group in
            defer { group.cancelAll() }
            group.addTask {
                for await ending in outcomes where ending.command == command { return ending.result }
                return nil
            }
            group.addTask {
                _ = await time.pause(until: deadline)
                return nil
            }
            return await group.next() ?? nil
        }
    }
}

/// The computer of an inbox, for calls.
private struct InboxPeer: Peer {
    /// The methods that the inbox calls by itself. Where the computer's program ends before it has answered, the next one is asked again at
    /// once: otherwise the phone would stand still until the question is too old.
    private static let repeatable = Set(NotificationMethods.all.filter(\.isRepeatable).map(\.name))

    let computer: ComputerContext

    var id: String { computer.id }
    var isSealed: Bool { computer.enqueue != nil }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        try await computer.call(method, params, timeout, Self.repeatable.contains(method))
    }

    /// An inbox is handed its events.
    func events() async throws -> AsyncStream<RemoteEvent> { AsyncStream { $0.finish() } }
    func reachability() async throws -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}
