import Foundation
import Kernel
import Logging
import Sealing
import Storage
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
        /// Milliseconds since 1970.
        case sweep(now: Int64)
        case note(SentPair, done: @Sendable (Bool) -> Void)
        case register(RegistrationClaim, done: @Sendable (Result<DirectoryEntry, RegistrationRefusal>) -> Void)
    }

    private let group: GroupCommit<Operation>

    init(
        mailbox: any Mailbox,
        directory: any Directory,
        limits: SignalingLimits,
        counters: RelayCounters,
        time: any TimeSource,
        logger: Logger
    ) {
        let work = StoreWork(
            mailbox: mailbox,
            directory: directory,
            limits: limits,
            counters: counters,
            time: time,
            logger: logger
        )
        group = GroupCommit(
            cost: { if case .store(let frame, _) = $0 { frame.bytes.count } else { 0 } },
            admits: { operation, load in
                switch operation {
                case .store(let frame, _): load.cost + frame.bytes.count <= limits.unwrittenBytes
                // Only presence depends on it, so it is what gives way.
                case .note: load.waiting < limits.connections
                default: true
                }
            },
            perform: { await work.perform($0) }
        )
    }

    /// False when there is no room: the caller says so to its peer. Cheap, never waits.
    func enqueue(_ operation: Operation) -> Bool { group.submit(operation) }

    /// Takes nothing from now on, and returns once everything that was queued is done.
    func close() async { await group.close() }
}

/// Applies a group of operations to the mailbox and the directory.
private struct StoreWork: Sendable {
    typealias Operation = StoreQueue.Operation

    let mailbox: any Mailbox
    let directory: any Directory
    let limits: SignalingLimits
    let counters: RelayCounters
    let time: any TimeSource
    let logger: Logger

    /// Stores first: everything else may depend on what was stored before it, and nothing minds what was stored after it.
    func perform(_ operations: [Operation]) async {
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
                case .sweep(let now): try await sweep(now)
                case .store, .note, .register: break
                }
            } catch {
                // Frames that were not removed are delivered again: late, and not lost.
                logger.error("mailbox not tidied", metadata: ["error": "\(error)"])
            }
        }
    }

    private func sweep(_ now: Int64) async throws {
        try await mailbox.removeStored(before: now - limits.mailboxLifetime.milliseconds)
        let count = try await directory.sweep(
            unseenBefore: now - limits.idLifetime.milliseconds,
            unheardBefore: now - limits.contactLifetime.milliseconds
        )
        counters.idsKnown.store(count, ordering: .relaxed)
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

    private func register(_ claims: [(RegistrationClaim, Settle)]) async {
        let entries: [PeerID: DirectoryEntry]
        do {
            entries = try await directory.entries(for: claims.map(\.0.id))
        } catch {
            logger.error("directory not read", metadata: ["error": "\(error)"])
            for (_, done) in claims { done(.failure(.unavailable)) }
            return
        }
        var proven: [(binding: KeyBinding, entry: DirectoryEntry, done: Settle)] = []
        for (claim, done) in claims {
            let entry = entries[claim.id] ?? DirectoryEntry()
            switch judge(claim, entry) {
            case .settled(let result): done(result)
            case .proven(let binding): proven.append((binding, entry, done))
            }
        }
        guard !proven.isEmpty else { return }
        do {
            // One commit for all.
            let owners = try await directory.bind(proven.map(\.binding))
            for ((binding, entry, done), owner) in zip(proven, owners) { done(claim(binding, entry, owner)) }
        } catch {
            logger.error("directory not written", metadata: ["count": "\(proven.count)", "error": "\(error)"])
            for (binding, entry, done) in proven {
                // Where the owner is known without the disk, only the day it was seen at is not written down.
                let isKnown = binding.isCertified || entry.key == binding.key
                done(isKnown ? claim(binding, entry, binding.key) : .failure(.unavailable))
            }
        }
    }

    private typealias Settle = @Sendable (Result<DirectoryEntry, RegistrationRefusal>) -> Void

    private enum Judgement {
        case settled(Result<DirectoryEntry, RegistrationRefusal>)
        /// The key may have the id, which is to be written down.
        case proven(KeyBinding)
    }

    private func judge(_ claim: RegistrationClaim, _ entry: DirectoryEntry) -> Judgement {
        guard let proof = claim.proof else {
            return .settled(entry.key == nil ? .success(entry) : .failure(.proofRequired))
        }
        guard let text = claim.id.text, proof.isGenuine(peerID: text) else { return .settled(.failure(.proofFailed)) }
        // Aliases live for minutes and belong to the device that holds them now.
        guard !claim.id.isAlias else { return .settled(.success(entry)) }
        let certified = Self.isCertified(text, by: proof.key)
        let isOwn = entry.key == proof.key
        guard certified != false, isOwn || entry.key == nil || certified == true else {
            return .settled(.failure(.keyMismatch))
        }
        let now = time.date.millisecondsSince1970
        // A day is fine enough for a life of months, and saves a write at each registration.
        if isOwn, now - entry.seenAt < Self.seenStep { return .settled(.success(entry)) }
        return .proven(
            KeyBinding(id: claim.id, key: proof.key, at: now, isCertified: certified == true) { [time] in
                claim.address.takeNewID(now: time.ticks)
            }
        )
    }

    private func claim(
        _ binding: KeyBinding,
        _ entry: DirectoryEntry,
        _ owner: DID?
    ) -> Result<DirectoryEntry, RegistrationRefusal> {
        var entry = entry
        entry.key = binding.key
        switch owner {
        case binding.key: return .success(entry)
        case .some: return .failure(.keyMismatch)
        case nil:
            counters.idsRefused.add(1, ordering: .relaxed)
            // Where the id itself names the key, nothing has to be on disk for the owner to be known.
            return binding.isCertified ? .success(entry) : .failure(.tooManyIDs)
        }
    }

    private static let seenStep: Int64 = 24 * 60 * 60 * 1000

    /// Whether an id names the key that owns it, and this is the one; nil for an id that names none.
    private static func isCertified(_ id: String, by key: DID) -> Bool? {
        if let owner = try? DID(id), owner.signingKey != nil { return owner == key }
        return DeviceID.isCertified(id) ? DeviceID.certified(by: key) == id : nil
    }
}
