import Logging
import Sealing
import Synchronization

/// Everything that touches the disk, one after the other, away from the event loops. What piled up meanwhile goes together: many
/// frames, one commit.
///
/// Order is kept where it matters: a frame that was queued before its recipient registered is on disk before that recipient's
/// mailbox is read.
final class StoreQueue: Sendable {
    enum Operation: Sendable {
        case store(MailboxFrame, done: @Sendable (Bool) -> Void)
        case read(PeerID, after: Int64, since: Int64, done: @Sendable ([NumberedFrame]) -> Void)
        case remove(PeerID, through: Int64)
        case sweep(before: Int64)
        case note(SentPair, done: @Sendable (Bool) -> Void)
        case register(RegistrationClaim, done: @Sendable (Result<DirectoryEntry, RegistrationRefusal>) -> Void)
    }

    private struct State {
        var operations: [Operation] = []
        var unwrittenBytes = 0
        var isFinished = false
    }

    private let mailbox: any Mailbox
    private let directory: any Directory
    private let limits: SignalingLimits
    private let logger: Logger
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init(mailbox: any Mailbox, directory: any Directory, limits: SignalingLimits, logger: Logger) {
        self.mailbox = mailbox
        self.directory = directory
        self.limits = limits
        self.logger = logger
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// False when there is no room: the caller says so to its peer. Cheap, never waits.
    func enqueue(_ operation: Operation) -> Bool {
        let isAccepted = state.withLock { state in
            guard !state.isFinished else { return false }
            switch operation {
            case .store(let frame, _):
                guard state.unwrittenBytes + frame.bytes.count <= limits.unwrittenBytes else { return false }
                state.unwrittenBytes += frame.bytes.count
            case .note:
                // Only presence depends on it, so it is what gives way.
                guard state.operations.count < limits.connections else { return false }
            default: break
            }
            state.operations.append(operation)
            return true
        }
        if isAccepted { wakeUp.yield() }
        return isAccepted
    }

    /// Ends ``run()`` once everything that was queued is done.
    func finish() {
        state.withLock { $0.isFinished = true }
        wakeUp.finish()
    }

    func run() async {
        for await _ in wakeUps { await work() }
        await work()
    }

    private func work() async {
        while true {
            let operations = state.withLock { state in
                defer { state.operations = [] }
                return state.operations
            }
            guard !operations.isEmpty else { return }
            await perform(operations)
            // Only now: until they are on disk, they are in memory.
            var written = 0
            for case .store(let frame, _) in operations { written += frame.bytes.count }
            state.withLock { $0.unwrittenBytes -= written }
        }
    }

    /// Stores first: everything else may depend on what was stored before it, and nothing minds what was stored after it.
    private func perform(_ operations: [Operation]) async {
        var frames: [(MailboxFrame, @Sendable (Bool) -> Void)] = []
        var pairs: [(SentPair, @Sendable (Bool) -> Void)] = []
        var claims: [(RegistrationClaim, @Sendable (Result<DirectoryEntry, RegistrationRefusal>) -> Void)] = []
        for operation in operations {
            switch operation {
            case .store(let frame, let done): frames.append((frame, done))
            case .note(let pair, let done): pairs.append((pair, done))
            case .register(let claim, let done): claims.append((claim, done))
            case .read, .remove, .sweep: break
            }
        }
        if !frames.isEmpty { await store(frames) }
        if !pairs.isEmpty { await note(pairs) }
        if !claims.isEmpty { await register(claims) }
        for operation in operations {
            do {
                switch operation {
                case .read(let id, let number, let since, let done): done(await read(id, after: number, since: since))
                case .remove(let id, let number): try await mailbox.remove(for: id, through: number)
                case .sweep(let time): try await mailbox.removeStored(before: time)
                case .store, .note, .register: break
                }
            } catch {
                // What was not removed is delivered again: late, and not lost.
                logger.error("mailbox not tidied", metadata: ["error": "\(error)"])
            }
        }
    }

    private func store(_ frames: [(MailboxFrame, @Sendable (Bool) -> Void)]) async {
        var outcomes = Array(repeating: false, count: frames.count)
        do {
            outcomes = try await mailbox.store(frames.map(\.0))
        } catch {
            logger.error("frames not stored", metadata: ["count": "\(frames.count)", "error": "\(error)"])
        }
        for (frame, outcome) in zip(frames, outcomes) { frame.1(outcome) }
    }

    private func note(_ pairs: [(SentPair, @Sendable (Bool) -> Void)]) async {
        do {
            let outcomes = try await directory.noteSent(pairs.map(\.0))
            for (pair, outcome) in zip(pairs, outcomes) { pair.1(outcome) }
        } catch {
            logger.error("contacts not stored", metadata: ["count": "\(pairs.count)", "error": "\(error)"])
        }
    }

    private func read(_ id: PeerID, after number: Int64, since: Int64) async -> [NumberedFrame] {
        do {
            return try await mailbox.frames(for: id, after: number, storedSince: since, maximumBytes: 1024 * 1024)
        } catch {
            logger.error("mailbox not read", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func register(
        _ claims: [(RegistrationClaim, @Sendable (Result<DirectoryEntry, RegistrationRefusal>) -> Void)]
    ) async {
        do {
            let entries = try await directory.entries(for: claims.map(\.0.id))
            for (claim, done) in claims { done(try await settle(claim, entries[claim.id] ?? DirectoryEntry())) }
        } catch {
            logger.error("directory not read", metadata: ["error": "\(error)"])
            for (_, done) in claims { done(.failure(.unavailable)) }
        }
    }

    private func settle(
        _ claim: RegistrationClaim,
        _ entry: DirectoryEntry
    ) async throws -> Result<DirectoryEntry, RegistrationRefusal> {
        guard let proof = claim.proof else { return entry.key == nil ? .success(entry) : .failure(.proofRequired) }
        guard let text = claim.id.text, proof.isGenuine(peerID: text) else { return .failure(.proofFailed) }
        if let owner = try? DID(text), owner.signingKey != nil, owner != proof.key { return .failure(.keyMismatch) }
        if let key = entry.key, key != proof.key { return .failure(.keyMismatch) }
        var entry = entry
        // Aliases live for minutes and belong to whoever holds them now.
        if entry.key == nil, !claim.id.isAlias { entry.key = try await directory.bind(proof.key, to: claim.id) }
        guard claim.id.isAlias || entry.key == proof.key else { return .failure(.keyMismatch) }
        return .success(entry)
    }
}
