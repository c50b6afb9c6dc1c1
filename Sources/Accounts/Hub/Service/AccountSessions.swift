import Accounts
import Foundation
import GRDB
import Kernel
import Metrics
import Principals
import Sealing
import Synchronization

/// The sessions of all people, one for each device. Memory answers whether one is open, on every request.
final class AccountSessions: Sendable {
    /// A refresh token is replaced once it is a day old. The one before is good for a week beside it: the answer that tells the new one may be lost.
    private static let policy = BearerPolicy(
        limit: .max,
        whenFull: .refuse,
        succession: .init(age: .seconds(86_400), overlap: .seconds(7 * 86_400)),
        visitInterval: .seconds(600)
    )
    private static let prefix = "tdr_"

    private struct State {
        /// The ids of each person's sessions, the oldest first.
        var byPerson: [UserID: [String]] = [:]
        var count = 0
        /// People whose sessions open nothing: they are suspended, or were deleted in this run.
        var closed: Set<UserID>
    }

    private let secrets: BearerSecrets<SessionHolder>
    private let state: Mutex<State>
    private let endings = SessionEndings()

    /// - Parameter closed: The people that are suspended.
    /// - Throws: What the database says.
    init(_ database: any DatabaseWriter, closed: Set<UserID>) throws {
        let table = SessionTable(database: database)
        let kept = try table.all()
        secrets = BearerSecrets(kept, store: table, policy: Self.policy)
        var state = State(closed: closed)
        for entry in kept { state.byPerson[entry.holder.person, default: []].append(entry.id) }
        state.count = kept.count
        self.state = Mutex(state)
        tell(state.count)
    }

    // MARK: Looking

    var count: Int { state.withLock(\.count) }

    /// A session that is there, whether its person is suspended or not.
    subscript(id: String) -> SessionEntry? { secrets[id] }

    /// A person's sessions, the oldest first.
    func all(of person: UserID) -> [SessionEntry] {
        state.withLock { $0.byPerson[person] ?? [] }.compactMap { secrets[$0] }
    }

    func isClosed(_ person: UserID) -> Bool { state.withLock { $0.closed.contains(person) } }

    /// Whether a session of this person opens something now.
    func isOpen(_ id: String, of person: UserID) -> Bool {
        !isClosed(person) && secrets[id]?.holder.person == person
    }

    /// Tells of the end of a session, at once where it opens nothing already.
    ///
    /// - Parameter told: Called at most once. It must not wait.
    func watch(_ id: String, of person: UserID, _ told: @escaping @Sendable () -> Void) -> SessionWatch {
        // Watched before it is looked at: an end in between is told.
        let watch = endings.watch(id, told)
        if !isOpen(id, of: person), watch.cancel() { told() }
        return watch
    }

    /// Returns when a session opens nothing any more, or the caller is cancelled.
    func ended(_ id: String, of person: UserID) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let watch = watch(id, of: person) { end.finish() }
        defer { watch.cancel() }
        for await _ in ends { return }
    }

    // MARK: Changing

    /// Begins a session, in the place of one that the same key had and of the one that was seen longest ago where the person has too many.
    ///
    /// - Returns: The session, and its refresh token, which is told this once.
    /// - Throws: What the database says.
    func begin(_ holder: SessionHolder, from address: String, now: Date) async throws -> (SessionEntry, Secret) {
        let secret = Secret(prefix: Self.prefix)
        let id = Hexadecimal.encode(RandomBytes.make(8))
        let entry = try await secrets.add(secret.hash(), id: id, holder: holder, now: now)
        // Of two that begin at once, the later one ends the earlier one, and not each the other.
        let (before, count) = state.withLock { state in
            let before = state.byPerson[holder.person] ?? []
            state.byPerson[holder.person] = before + [id]
            state.count += 1
            return (before, state.count)
        }
        tell(count)
        try await end(leaving(before.compactMap { secrets[$0] }, for: holder), of: holder.person)
        try await secrets.note(id, from: address, now: now)
        return (entry, secret)
    }

    /// The sessions that give way to another one.
    private func leaving(_ others: [SessionEntry], for holder: SessionHolder) -> [String] {
        let ofKey = others.filter { holder.did != nil && $0.holder.did == holder.did }.map(\.id)
        let staying = others.filter { !ofKey.contains($0.id) }
        let oldest = staying.sorted { ($0.lastSeenAt ?? $0.createdAt) < ($1.lastSeenAt ?? $1.createdAt) }
        return ofKey + oldest.prefix(max(0, staying.count - AccountsPolicy.deviceLimit + 1)).map(\.id)
    }

    /// Finds the session of a refresh token.
    func match(_ token: String, now: Date) -> SessionEntry? { secrets.match(SecretHash(of: token), now: now) }

    /// Finds the session of a person's key.
    func session(withKey did: DID, of person: UserID) -> SessionEntry? {
        all(of: person).first { $0.holder.did == did }
    }

    /// The sessions of these keys; of several of one key the one that was begun last.
    func sessions(withKeys keys: Set<DID>) -> [DID: SessionEntry] {
        let held = secrets.all.compactMap { entry in entry.holder.did.map { ($0, entry) } }
        return Dictionary(held.filter { keys.contains($0.0) }) { $0.createdAt < $1.createdAt ? $1 : $0 }
    }

    /// Notes that a session was seen.
    ///
    /// - Parameter takesSuccessor: Whether it showed a refresh token, which another may replace.
    /// - Returns: That one; nil where the one in use stays good.
    /// - Throws: What the database says; then nothing is to be told.
    func visit(_ id: String, takesSuccessor: Bool, from address: String, now: Date) async throws -> Secret? {
        let successor = takesSuccessor ? secrets.successor(of: id, prefix: Self.prefix, now: now) : nil
        try await secrets.note(id, from: address, now: now)
        return successor
    }

    /// Ends sessions: they open nothing when this returns, whatever the store says, and what is open of them is told.
    func end(_ ids: [String], of person: UserID) async throws {
        guard !ids.isEmpty else { return }
        forget(ids, of: person)
        var failure: (any Error)?
        for id in ids {
            // In memory all of them are taken back, also where the disk refuses one.
            do { try await secrets.remove(id) } catch { failure = error }
            endings.tell(id)
        }
        if let failure { throw failure }
    }

    /// Closes a person's sessions, which stay where they are.
    func close(_ person: UserID) {
        let ids = state.withLock { state in
            state.closed.insert(person)
            return state.byPerson[person] ?? []
        }
        for id in ids { endings.tell(id) }
    }

    func reopen(_ person: UserID) { state.withLock { _ = $0.closed.remove(person) } }

    /// Sessions that were not seen since `time`, with their people.
    func idle(since time: Int64) -> [SessionEntry] { secrets.all.filter { ($0.lastSeenAt ?? $0.createdAt) < time } }

    func finish() { endings.finish() }

    private func forget(_ ids: [String], of person: UserID) {
        let count = state.withLock { state in
            let known = state.byPerson[person] ?? []
            let rest = known.filter { !ids.contains($0) }
            state.byPerson[person] = rest.isEmpty ? nil : rest
            state.count -= known.count - rest.count
            return state.count
        }
        tell(count)
    }

    private func tell(_ count: Int) { Gauge(label: "accounts_sessions_open").record(count) }
}
