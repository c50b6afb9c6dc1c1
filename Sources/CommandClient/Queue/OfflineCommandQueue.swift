package import Commands
public import Foundation
public import Kernel

/// Commands that wait for their computers, in order, on disk. Each is done once: a repeat is the same request.
public actor OfflineCommandQueue {
    /// Sends one request and returns its result.
    package typealias Invoke = @Sendable (CommandRequest) async throws -> JSONValue

    /// Commands kept on one phone, for all computers together.
    public static let capacity = 100
    /// Tries that end in a failure answered by the computer.
    public static let triesLimit = 3
    /// Seven days. Source: `docs/protocol.md`, "Commands that wait".
    public static let defaultLifetime: Duration = .seconds(7 * 24 * 3600)

    /// Whether one desktop's commands are being sent.
    private enum Drain {
        case running
        /// A caller asked for another one meanwhile: there may be a new command.
        case runningAndWantedAgain
    }

    /// How a command becomes part of one that waits already, so that hundreds of small ones do not drive each other out. For commands that
    /// may be done twice: what the computer has done without our knowing is done again with the rest.
    public struct Joining: Sendable {
        /// Methods that may be done behind this command although they waited before it.
        let passes: Set<String>
        let join: @Sendable (JSONValue) -> JSONValue?

        /// - Parameters:
        ///   - passes: Methods that may be done behind this command although they waited before it.
        ///   - join: Given the parameters of a command of the same method that waits, returns those of both in one; nil where they do not
        ///     fit together.
        public init(passing passes: Set<String>, _ join: @escaping @Sendable (_ waiting: JSONValue) -> JSONValue?) {
            self.passes = passes
            self.join = join
        }
    }

    private let store: any OfflineCommandStore
    private let policy: RemoteCallPolicy
    private let lifetime: Duration
    private let time: any TimeSource
    private let broadcaster = Broadcaster<OfflineQueueEvent>(capacity: 256)
    private var drains: [String: Drain] = [:]

    /// - Parameter lifetime: How long a command waits before it is not sent any more.
    package init(
        store: any OfflineCommandStore,
        policy: RemoteCallPolicy,
        lifetime: Duration = OfflineCommandQueue.defaultLifetime,
        time: any TimeSource = .system
    ) {
        self.store = store
        self.policy = policy
        self.lifetime = lifetime
        self.time = time
    }

    // MARK: For the person

    /// Oldest first.
    public func commands() async throws -> [OfflineCommand] { try await store.all() }

    /// The commands now, then after each change.
    public nonisolated func list() -> AsyncStream<[OfflineCommand]> { store.list() }

    /// Events from now on, one stream per reader.
    public nonisolated func events() -> AsyncStream<OfflineQueueEvent> { broadcaster.subscribe() }

    /// Keeps a command until its computer can be reached. It is on disk when this returns.
    ///
    /// - Parameters:
    ///   - desktopID: The paired computer it is for.
    ///   - id: Given again when it is not known whether an earlier call came through: the command is kept once.
    ///   - joining: How it becomes part of one that waits; nil: it waits by itself.
    /// - Throws: ``OfflineQueueError``; ``RemoteError/invalidArgument(_:)``; what the store throws.
    public func enqueue(
        _ method: String,
        _ params: JSONValue = .object([:]),
        for desktopID: String,
        mobileDID: String? = nil,
        id: UUID = UUID(),
        joining: Joining? = nil
    ) async throws -> QueuedCommand {
        try RemoteArguments.check(method: method, params: params)
        guard policy.mayQueue(method) else { throw OfflineQueueError.notQueueable(method: method) }
        try policy.check(method, params)
        let json = params.canonicalText
        guard json.utf8.count <= OfflineCommand.paramsLimit else {
            throw OfflineQueueError.tooLarge(bytes: json.utf8.count, limit: OfflineCommand.paramsLimit)
        }
        try await expireOverdue()
        if let joining, let joined = try await join(method, joining, for: desktopID) {
            broadcaster.send(.queued(joined))
            return QueuedCommand(command: joined, evicted: nil)
        }
        let command = OfflineCommand(
            id: id,
            desktopID: desktopID,
            method: method,
            paramsJSON: json,
            mobileDID: mobileDID,
            timestampMilliseconds: time.date.millisecondsSince1970,
            expiresAtMilliseconds: expiry()
        )
        let evicted = try await store.add(command, capacity: Self.capacity)
        if let evicted { broadcaster.send(.evicted(evicted)) }
        broadcaster.send(.queued(command))
        return QueuedCommand(command: command, evicted: evicted)
    }

    /// - Returns: The command that took it in; nil where none can.
    private func join(
        _ method: String,
        _ joining: Joining,
        for desktopID: String
    ) async throws -> OfflineCommand? {
        let (request, expiry) = (UUID(), expiry())
        let all = try await store.all().filter { $0.desktopID == desktopID && $0.status != .failed }
        for waiting in all.reversed() {
            if waiting.method == method {
                let joined = try await store.update(waiting.id) { command in
                    // One that is on its way goes as it is.
                    guard command.status == .pending, let params = try? JSONValue(parsing: command.paramsJSON.utf8),
                        let both = joining.join(params)?.canonicalText, both.utf8.count <= OfflineCommand.paramsLimit
                    else { return }
                    command.paramsJSON = both
                    command.expiresAtMilliseconds = expiry
                    // A refusal before was of another request.
                    command.retries = 0
                    // The computer may have done the request before, and would answer a repeat without looking at it.
                    command.requestID = request
                }
                if let joined, joined.requestID == request { return joined }
            }
            guard joining.passes.contains(waiting.method) else { return nil }
        }
        return nil
    }

    /// Tries a failed command again from the start, in its old place. One that waits goes on waiting.
    ///
    /// - Throws: ``OfflineQueueError/unknownCommand(_:)``; what the store throws.
    @discardableResult
    public func retry(_ id: UUID) async throws -> OfflineCommand {
        let expiry = expiry()
        let retried = try await store.update(id) { command in
            guard command.status == .failed else { return }
            command.status = .pending
            command.retries = 0
            command.errorMessage = nil
            command.expiresAtMilliseconds = expiry
        }
        guard let retried else { throw OfflineQueueError.unknownCommand(id) }
        broadcaster.send(.queued(retried))
        return retried
    }

    /// Removes a command. One that is on its way may still be done.
    ///
    /// - Throws: ``OfflineQueueError/unknownCommand(_:)``; what the store throws.
    @discardableResult
    public func remove(_ id: UUID) async throws -> OfflineCommand {
        guard let removed = try await store.remove(id) else { throw OfflineQueueError.unknownCommand(id) }
        broadcaster.send(.removed(removed))
        return removed
    }

    /// - Parameter desktopID: Nil for every computer's commands.
    /// - Returns: How many were removed.
    @discardableResult
    public func clear(for desktopID: String? = nil) async throws -> Int {
        let leaving = try await store.all().filter { desktopID == nil || $0.desktopID == desktopID }
        let count = try await store.removeAll(for: desktopID)
        for command in leaving { broadcaster.send(.removed(command)) }
        return count
    }

    // MARK: Delivery

    /// Sends a computer's commands one after the other, oldest first, until none waits or one has to be tried again later.
    ///
    /// - Returns: Nil when a run for this computer is under way; it sends what is new, too.
    /// - Throws: What the store throws: what was sent last is then sent again under its id. `CancellationError`.
    package func drain(for desktopID: String, using invoke: Invoke) async throws -> OfflineDrainResult? {
        guard drains[desktopID] == nil else {
            drains[desktopID] = .runningAndWantedAgain
            return nil
        }
        drains[desktopID] = .running
        defer { drains[desktopID] = nil }
        var result = OfflineDrainResult()
        while true {
            try Task.checkCancellation()
            try await expireOverdue()
            // A command that an earlier run left as on its way has no answer here: it is asked for again.
            let first = try await store.all().first { $0.desktopID == desktopID && $0.status != .failed }
            guard let first else {
                guard drains[desktopID] == .runningAndWantedAgain else { return result }
                drains[desktopID] = .running
                continue
            }
            switch try await deliver(first, using: invoke) {
            case .delivered: result.succeeded += 1
            case .failed: result.failed += 1
            case .gone: break
            case .refused:
                result.failed += 1
                result.isInterrupted = true
                return result
            case .unanswered:
                result.isInterrupted = true
                return result
            }
        }
    }

    private enum Delivery {
        case delivered
        case failed
        /// To be tried again; nothing may overtake it.
        case refused
        case unanswered
        /// The person removed it meanwhile.
        case gone
    }

    private func deliver(_ waiting: OfflineCommand, using invoke: Invoke) async throws -> Delivery {
        guard let command = try await store.update(waiting.id, { $0.status = .sending }) else { return .gone }
        let result: JSONValue
        do {
            result = try await invoke(command.request())
        } catch {
            if error is CancellationError || Task.isCancelled {
                try await record { try await $0.update(command.id) { $0.status = .pending } }
                throw CancellationError()
            }
            let isRepeatable = policy.isRepeatable(command.method)
            return try await keep(command, after: DeliveryFailure(error, isRepeatable: isRepeatable))
        }
        try await record { try await $0.remove(command.id) }
        broadcaster.send(.delivered(command, result: result))
        return .delivered
    }

    private func keep(_ command: OfflineCommand, after failure: DeliveryFailure) async throws -> Delivery {
        let kept = try await record { store in
            try await store.update(command.id) { command in
                switch failure {
                case .final(let message):
                    command.fail(message)
                    command.requestID = UUID()
                case .refused(let message):
                    command.countTry(message)
                    command.requestID = UUID()
                case .unreadable(let message): command.countTry(message)
                case .unanswered(let message):
                    command.status = .pending
                    command.errorMessage = message
                }
            }
        }
        guard let kept else { return .gone }
        if kept.status == .failed {
            broadcaster.send(.failed(kept))
            return .failed
        }
        if case .unanswered = failure { return .unanswered }
        return .refused
    }

    /// Writes down what is known, also when the caller has left: a cancelled task writes nothing.
    @discardableResult
    private func record(
        _ write: @escaping @Sendable (any OfflineCommandStore) async throws -> OfflineCommand?
    ) async throws -> OfflineCommand? {
        try await withCancellationShield { [store] in try await write(store) }
    }

    private func expireOverdue() async throws {
        let date = time.date.millisecondsSince1970
        // One that is being sent by a run of this process gets its answer.
        let overdue = try await store.all().filter { $0.status == .pending && $0.expiresAtMilliseconds <= date }
        for command in overdue {
            let expired = try await store.update(command.id) { command in
                guard command.status == .pending else { return }
                command.fail(
                    "The computer did not confirm \(command.method) in time. Check there, then retry it or remove it."
                )
            }
            if let expired, expired.status == .failed { broadcaster.send(.failed(expired)) }
        }
    }

    private func expiry() -> Int64 {
        time.date.addingTimeInterval(Double(lifetime.components.seconds)).millisecondsSince1970
    }
}

extension OfflineCommand {
    fileprivate mutating func fail(_ message: String) {
        status = .failed
        errorMessage = message
    }

    fileprivate mutating func countTry(_ message: String) {
        retries += 1
        status = retries < OfflineCommandQueue.triesLimit ? .pending : .failed
        errorMessage = message
    }
}
