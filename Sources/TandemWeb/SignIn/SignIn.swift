package import Foundation
package import GRDB
package import Kernel
import Principals
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
    /// Wrong links: twenty in a minute, then one every three seconds.
    private static let guessLimits = GuessThrottle.Limits(
        failures: 20,
        within: .seconds(60),
        firstWait: .seconds(3),
        longestWait: .seconds(3)
    )
    /// Keeps the hashes of links apart from those of cookies.
    private static let linkUse = "link"

    /// A browser that is signed in.
    package struct Session: Hashable, Sendable {
        fileprivate let hash: [UInt8]

        fileprivate init(hash: [UInt8]) { self.hash = hash }

        /// Reads ``name``; nil where it is none.
        init?(name: String?) {
            guard let hash = name.flatMap({ Base64URL.decode($0) }) else { return nil }
            self.init(hash: hash)
        }

        /// The name by which routes of the page know it. It opens nothing.
        var name: String { PageSessionStore.id(hash) }
    }

    private struct Tries {
        var guesses = GuessThrottle(each: nil, all: SignIn.guessLimits)
        /// How often all browsers were signed out: a link that was taken before makes no session after.
        var signOuts = 0
    }

    private let store: PageSessions
    private let source: any TimeSource
    private let links: OneTimeSecrets<Void>
    private let tries = Mutex(Tries())
    private let browsers: BearerSecrets<Principal>

    /// - Parameter database: The role's, with the tables of `PageSessions`.
    /// - Throws: What SQLite says.
    package init(
        _ database: any DatabaseWriter,
        time: any TimeSource = .system
    ) throws {
        store = PageSessions(database)
        source = time
        let sessions = PageSessionStore(sessions: store)
        browsers = BearerSecrets(
            try sessions.all(at: time.date.millisecondsSince1970),
            store: sessions,
            policy: BearerPolicy(limit: Self.sessionLimit, whenFull: .dropOldest)
        )
        links = OneTimeSecrets(lifetime: .seconds(Self.linkLifetime), limit: Self.linkLimit, time: time)
    }

    /// A token that signs one browser in, within two minutes. Of too many the oldest goes.
    package func makeLink() -> String {
        let link = Secret()
        links.add(link.hash(for: Self.linkUse), ())
        return link.text
    }

    /// Takes a link for a cookie. The session is on disk when this returns.
    ///
    /// - Parameter cookie: The cookie's name: one of another role or port is worth nothing here.
    /// - Throws: ``PageError/badLink``, ``PageError/tooManyTries``; what SQLite says.
    func redeem(_ token: String, cookie: String) async throws -> String {
        let now = source.now
        let signOuts = try tries.withLock { tries throws(PageError) in
            guard tries.guesses.wait(of: .anyone, now: now) == nil else { throw .tooManyTries }
            guard links.take(SecretHash(of: token, for: Self.linkUse)) != nil else {
                tries.guesses.fail(.anyone, now: now)
                throw .badLink
            }
            return tries.signOuts
        }
        let value = Secret()
        let hash = value.hash(for: cookie)
        let session = Session(hash: hash.bytes)
        try await browsers.add(
            hash,
            id: session.name,
            holder: .owner,
            lasting: .seconds(Self.sessionLifetime),
            now: source.date
        )
        // All were signed out since the link was taken, and no link is left then.
        guard tries.withLock(\.signOuts) == signOuts, isOpen(session) else {
            try await browsers.remove(session.name)
            throw PageError.badLink
        }
        return value.text
    }

    /// The session of a request; nil without one that counts.
    ///
    /// - Parameter header: The values of `Cookie`.
    func session(cookies header: [String], named name: String) -> Session? {
        for pair in header.flatMap({ $0.split(separator: ";") }) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, sides[0].filter({ $0 != " " }) == name, sides[1].utf8.count <= 64 else { continue }
            let shown = SecretHash(of: String(sides[1]), for: name)
            if let browser = browsers.match(shown, now: source.date) { return Session(hash: browser.hash.bytes) }
        }
        return nil
    }

    func isOpen(_ session: Session) -> Bool { browsers.isOpen(session.name, now: source.date) }

    /// Returns when the session was signed out, or the caller is cancelled.
    func ended(_ session: Session) async { await browsers.ended(session.name) }

    /// Notes that a method does something for this browser from now on.
    func bind(_ method: String, to session: Session) async throws { try await store.bind(method, to: session.hash) }

    /// The browser that a method does something for; nil for none.
    func bound(_ method: String) async throws -> Session? { try await store.bound(method).map { Session(hash: $0) } }

    func unbind(_ method: String, from session: Session) async throws {
        try await store.unbind(method, from: session.hash)
    }

    /// The browsers that are signed in, now and after each change.
    func open() -> AsyncStream<Set<Session>> {
        let names = browsers.open()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { open in
            let reading = Task {
                for await names in names { open.yield(Set(names.compactMap { Session(name: $0) })) }
                open.finish()
            }
            open.onTermination = { _ in reading.cancel() }
        }
    }

    /// Lets go of those whose time is over.
    func dropEnded() { browsers.dropEnded(now: source.date) }

    /// Browsers that are signed in.
    package var count: Int { browsers.all.count }

    /// One browser's cookie is worth nothing any more, also after a restart.
    func signOut(_ session: Session) async throws { try await browsers.remove(session.name) }

    /// Signs all browsers out, and leaves no link.
    ///
    /// - Returns: How many browsers were.
    package func signOutAll() async throws -> Int {
        tries.withLock { tries in
            tries.signOuts += 1
            links.removeAll()
        }
        return try await browsers.removeAll()
    }
}
