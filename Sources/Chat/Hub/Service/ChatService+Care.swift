package import Accounts
import Kernel
import Logging

extension ChatService {
    private static let sweepInterval: Duration = .seconds(60)
    /// How soon after a content was blanked its copies go from the journal.
    private static let scrubDelay: Duration = .seconds(1)
    private static let sweepLimit = 200
    /// Offers that one transaction ends: each has up to a thousand objects.
    private static let handoverLimit = 4
    /// Rows of one part of a deletion.
    private static let deletionLimit = 500

    /// Destroys pictures that are due, removes what deleted accounts left, and copies of what was blanked. Until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                repeat {
                    await attempt("sweep") { try await sweep() }
                } while await dependencies.time.pause(
                    for: Self.sweepInterval
                )
            }
            group.addTask { [self] in
                for await _ in care.deletions.values() { await attempt("deletion") { try await continueDeletions() } }
            }
            group.addTask { [self] in
                for await _ in care.blankings.values() {
                    guard await dependencies.time.pause(for: Self.scrubDelay) else { return }
                    await attempt("scrub") { _ = try await log.scrub() }
                }
            }
        }
    }

    /// Destroys what is due now, and clears the journal where a reader was in the way before.
    package func sweep() async throws {
        while try await log.sweepFlashes(at: now, limit: Self.sweepLimit) == Self.sweepLimit {}
        while try await log.sweepHandovers(at: now, limit: Self.handoverLimit) == Self.handoverLimit {}
        try await continueDeletions()
        _ = try await log.scrub()
    }

    /// Waits for what was taken, and ends the connections' sends.
    package func close() async {
        await log.close()
        await connections.close()
    }

    /// The work is tried again at the next sweep.
    private func attempt(_ work: String, _ body: () async throws -> Void) async {
        do { try await body() } catch is CancellationError {} catch {
            dependencies.logger.error("chat care failed", metadata: ["work": "\(work)", "reason": "\(error)"])
        }
    }

    // MARK: Accounts

    /// Deletes a person's part of all conversations. When this returns nobody reaches them any more, and they nobody; the rest goes on
    /// in bounded parts, after a restart too.
    package func deleteAccount(_ person: UserID) async throws {
        try await log.beginDeletion(of: person, at: now)
        left(person)
    }

    /// To be called where the deletion of a person began in another transaction of the same database.
    package func left(_ person: UserID) {
        connections.disconnectAll(of: person)
        care.deletions.update { $0 += 1 }
    }

    /// Goes on with deletions until none is left.
    package func continueDeletions() async throws {
        for person in try await log.unfinishedDeletions() {
            while try await !log.continueDeletion(of: person, limit: Self.deletionLimit, at: now) {
                try Task.checkCancellation()
            }
        }
    }
}
