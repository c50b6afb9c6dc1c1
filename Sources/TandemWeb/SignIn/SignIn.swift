import Crypto
package import Foundation
package import GRDB
package import Kernel
import Storage
import Synchronization

/// The sign-in of browsers to a page: one-time links become cookies. Both are random and kept as hashes only.
package final class SignIn: Sendable {
    /// How long a link is good for, once.
    package static let linkLifetime: TimeInterval = 120
    /// How long a browser stays signed in.
    package static let sessionLifetime: TimeInterval = 30 * 86_400
    private static let linkLimit = 16
    private static let sessionLimit = 32
    /// Wrong links: some in a row, then one every three seconds.
    private static let guesses = (burst: 20.0, perSecond: 1.0 / 3)

    /// A browser that is signed in.
    package struct Session: Hashable, Sendable {
        fileprivate let hash: [UInt8]

        fileprivate init(hash: [UInt8]) { self.hash = hash }

        /// Reads ``name``; nil where it is none.
        init?(name: String?) {
            guard let hash = name.flatMap({ Base64URL.decode($0) }) else { return nil }
            self.init(hash: Array(hash))
        }

        /// The name by which routes of the page know it. It opens nothing.
        var name: String { Base64URL.encode(hash) }
    }

    private struct Link {
        let hash: [UInt8]
        let endsAt: Date
    }

    private struct State {
        var links: [Link] = []
        var guesses: TokenBucket
    }

    private let store: PageSessions
    private let source: any TimeSource
    private let state: Mutex<State>
    private let sessions: LatestValue<[PageSessions.Entry]>

    /// - Parameter database: The role's, with the tables of `PageSessions`.
    /// - Throws: What SQLite says.
    package init(
        _ database: any DatabaseWriter,
        time: any TimeSource = .system
    ) throws {
        store = PageSessions(database)
        source = time
        sessions = LatestValue(try store.open(at: time.date.millisecondsSince1970))
        state = Mutex(
            State(
                guesses: TokenBucket(
                    capacity: Self.guesses.burst,
                    refillPerSecond: Self.guesses.perSecond,
                    now: time.ticks
                )
            )
        )
    }

    /// A token that signs one browser in, within two minutes. Of too many the oldest goes.
    package func makeLink() -> String {
        let token = Self.random()
        let time = source.date
        state.withLock { state in
            state.links.removeAll { $0.endsAt <= time }
            if state.links.count >= Self.linkLimit { state.links.removeFirst() }
            let endsAt = time.addingTimeInterval(Self.linkLifetime)
            state.links.append(Link(hash: Self.hash(token, for: "link"), endsAt: endsAt))
        }
        return token
    }

    /// Takes a link for a cookie. The session is on disk when this returns.
    ///
    /// - Parameter cookie: The cookie's name: one of another role or port is worth nothing here.
    /// - Throws: ``PageError/badLink``, ``PageError/tooManyTries``; what SQLite says.
    func redeem(_ token: String, cookie: String) async throws -> String {
        let hash = Self.hash(token, for: "link")
        let time = source.date
        try state.withLock { state throws(PageError) in
            guard state.guesses.holds(1, now: source.ticks) else { throw .tooManyTries }
            state.links.removeAll { $0.endsAt <= time }
            let found = state.links.indices.filter { Self.isSame(state.links[$0].hash, hash) }
            guard let index = found.first else {
                _ = state.guesses.take(now: source.ticks)
                throw .badLink
            }
            state.links.remove(at: index)
        }
        let value = Self.random()
        let entry = PageSessions.Entry(
            hash: Self.hash(value, for: cookie),
            begunAt: time.millisecondsSince1970,
            endsAt: time.addingTimeInterval(Self.sessionLifetime).millisecondsSince1970
        )
        try await store.add(entry)
        var dropped: [PageSessions.Entry] = []
        sessions.update { sessions in
            sessions.append(entry)
            dropped = Array(sessions.prefix(max(0, sessions.count - Self.sessionLimit)))
            sessions.removeFirst(dropped.count)
        }
        for old in dropped { try await store.remove(old.hash) }
        return value
    }

    /// The session of a request; nil without one that counts.
    ///
    /// - Parameter header: The values of `Cookie`.
    func session(cookies header: [String], named name: String) -> Session? {
        for pair in header.flatMap({ $0.split(separator: ";") }) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, sides[0].filter({ $0 != " " }) == name, sides[1].utf8.count <= 64 else { continue }
            let hash = Self.hash(String(sides[1]), for: name)
            let time = source.date.millisecondsSince1970
            // Every one is looked at, so that the time it takes tells nothing.
            let found = sessions.value.filter { Self.isSame($0.hash, hash) && $0.endsAt > time }
            if let entry = found.first { return Session(hash: entry.hash) }
        }
        return nil
    }

    func isOpen(_ session: Session) -> Bool {
        let time = source.date.millisecondsSince1970
        return sessions.value.contains { $0.hash == session.hash && $0.endsAt > time }
    }

    /// Returns when the session was signed out, or the caller is cancelled.
    func ended(_ session: Session) async {
        for await open in sessions.values() where !open.contains(where: { $0.hash == session.hash }) { return }
    }

    /// Notes that a method does something for this browser from now on.
    func bind(_ method: String, to session: Session) async throws { try await store.bind(method, to: session.hash) }

    /// The browser that a method does something for; nil for none.
    func bound(_ method: String) async throws -> Session? { try await store.bound(method).map { Session(hash: $0) } }

    func unbind(_ method: String, from session: Session) async throws {
        try await store.unbind(method, from: session.hash)
    }

    /// The browsers that are signed in, now and after each change.
    func open() -> AsyncStream<Set<Session>> {
        let entries = sessions.values()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { open in
            let reading = Task {
                for await list in entries { open.yield(Set(list.map { Session(hash: $0.hash) })) }
                open.finish()
            }
            open.onTermination = { _ in reading.cancel() }
        }
    }

    /// Lets go of those whose time is over.
    func dropEnded() {
        let time = source.date.millisecondsSince1970
        sessions.update { $0.removeAll { $0.endsAt <= time } }
    }

    /// Browsers that are signed in.
    package var count: Int { sessions.value.count }

    /// One browser's cookie is worth nothing any more, also after a restart.
    func signOut(_ session: Session) async throws {
        sessions.update { $0.removeAll { $0.hash == session.hash } }
        try await store.remove(session.hash)
    }

    /// Signs all browsers out, and leaves no link.
    ///
    /// - Returns: How many browsers were.
    package func signOutAll() async throws -> Int {
        var count = 0
        state.withLock { $0.links = [] }
        sessions.update { sessions in
            count = sessions.count
            sessions = []
        }
        try await store.removeAll()
        return count
    }

    private static func random() -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    private static func hash(_ secret: String, for use: String) -> [UInt8] {
        Array(SHA256.hash(data: Data("\(use)\0\(secret)".utf8)))
    }

    /// Takes as long for a wrong first byte as for a wrong last one.
    private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
