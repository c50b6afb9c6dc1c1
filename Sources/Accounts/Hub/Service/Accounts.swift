package import Accounts
package import Capabilities
import Foundation
import GRDB
import Kernel
import Logging
import Metrics
import Principals
import Sealing
import Storage
package import Transport

/// The accounts of a hub: who its people are, their devices, and what proves a request to be theirs.
///
/// It keeps its tables in the database of the feature that owns it, so that the deletion of an account is one transaction with what else that
/// feature keeps of the person.
package final class Accounts: Sendable {
    let database: any DatabaseWriter
    let time: any TimeSource
    let policy: AccountsPolicy
    let logger: Logger
    let sessions: AccountSessions
    let tokens: AccessTokens
    let passwords: PasswordHashing
    let invitations: Invitations
    let limits: AccountLimits
    let removals: [AccountRemoval]
    let avatars: AccountAvatars?
    let challenges: OneTimeSecrets<DID>

    /// - Parameters:
    ///   - context: Its database has the tables of ``AccountTables/migrations``; its folder keeps the keys of access tokens.
    ///   - removals: Run in their order when an account is deleted.
    ///   - avatars: Nil where keys of pictures are kept as they come.
    /// - Throws: What the database says; ``AccountsError/keysDamaged(path:)``, `StateFolderError`.
    package init(
        _ context: FeatureContext,
        policy: AccountsPolicy,
        removals: [AccountRemoval] = [],
        avatars: AccountAvatars? = nil
    ) throws {
        database = context.database
        time = context.time
        self.policy = policy
        logger = context.logger
        let suspended = try context.database.writeWithoutTransaction { database in
            // What is deleted is overwritten.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            return try AccountTables.suspended(in: database)
        }
        sessions = try AccountSessions(context.database, closed: suspended)
        tokens = try AccessTokens(folder: StateFolder(context.storage.folder()), time: context.time)
        passwords = PasswordHashing(policy.scrypt)
        invitations = Invitations(database: context.database)
        limits = AccountLimits(time: context.time)
        self.removals = removals
        self.avatars = avatars
        challenges = OneTimeSecrets(
            lifetime: AccountsPolicy.challengeLifetime,
            limit: AccountsPolicy.challengeLimit,
            time: context.time
        )
    }

    var now: Int64 { time.date.millisecondsSince1970 }

    // MARK: Who asks

    /// Finds out who sent a request, by its header `token` or `Authorization: Bearer`.
    package func asker(of request: RouteRequest) async -> Result<Asker, AccountsError> {
        let scheme = "bearer "
        let bearer = request.header("Authorization").flatMap { value in
            value.lowercased().hasPrefix(scheme) ? String(value.dropFirst(scheme.count)) : nil
        }
        return await asker(showing: request.header("token") ?? bearer ?? "")
    }

    /// Finds out who showed an access token.
    package func asker(showing token: String) async -> Result<Asker, AccountsError> {
        do {
            return .success(try asker(try await tokens.open(token)))
        } catch {
            return .failure(error)
        }
    }

    /// Whether a session still opens something. Asked in memory, so that a connection can ask before each message.
    package func isOpen(_ asker: Asker) -> Bool { sessions.isOpen(asker.session, of: asker.person) }

    /// Tells when the session of a person was ended, or the person was suspended or deleted: at once where it is so already.
    ///
    /// - Parameter told: Called at most once. It must not wait.
    package func watch(_ asker: Asker, _ told: @escaping @Sendable () -> Void) -> SessionWatch {
        sessions.watch(asker.session, of: asker.person, told)
    }

    /// Returns when the session of a person was ended, or the person was suspended or deleted, or the caller is cancelled.
    package func ended(_ asker: Asker) async { await sessions.ended(asker.session, of: asker.person) }

    private func asker(_ content: AccessTokens.Content) throws(AccountsError) -> Asker {
        guard let entry = sessions[content.session], entry.holder.person == content.person else { throw .sessionOver }
        guard !sessions.isClosed(content.person) else { throw .suspended }
        guard let id = AccountID(content.person.imUserID) else { throw .tokenMalformed }
        return Asker(
            person: content.person,
            platform: content.platform,
            session: content.session,
            principal: .account(id, device: content.session)
        )
    }

    // MARK: People

    package func account(_ person: UserID) async throws -> Account? {
        try await database.read { try AccountTables.account(person, in: $0) }
    }

    /// The accounts of these people that there are, in no order.
    package func accounts(_ people: Set<UserID>) async throws -> [Account] {
        try await database.read { database in
            try people.compactMap { try AccountTables.account($0, in: database) }
        }
    }

    /// Whether a key is the picture of an account.
    package func isAvatar(_ key: String) async throws -> Bool {
        try await database.read { try AccountTables.isAvatar(key, in: $0) }
    }

    /// Finds an account by its name, its id `tb_7` or its number.
    ///
    /// - Throws: ``AccountsError/noSuchAccount(_:)``; what the database says.
    package func find(_ text: String) async throws -> Account {
        let person = UserID(imUserID: text) ?? UserID(decimal: text)
        let found = try await database.read { database -> Account? in
            if let person { return try AccountTables.account(person, in: database) }
            return try AccountName(text).flatMap { try AccountTables.account(named: $0, in: database) }
        }
        guard let found else { throw AccountsError.noSuchAccount(String(text.prefix(80))) }
        return found
    }

    // MARK: Work in the background

    /// Replaces keys, signs out devices that were long away, and forgets what is over, each hour until its task is cancelled.
    package func run() async {
        repeat {
            do {
                try await sweep()
            } catch {
                logger.error("accounts were not swept", metadata: ["reason": "\(StorageError.telling(error))"])
            }
        } while await time.pause(for: .seconds(3600))
    }

    func sweep() async throws {
        try await tokens.rotate()
        let limit = (time.date - TimeInterval(AccountsPolicy.idleLimit.components.seconds)).millisecondsSince1970
        for entry in sessions.idle(since: limit) { try await sessions.end([entry.id], of: entry.holder.person) }
        let now = now
        try await database.write { try AccountTables.removeEnded(at: now, in: $0) }
        await tellCount()
    }

    /// Brings the gauge of accounts up to date.
    func tellCount() async {
        // A figure that cannot be read now is told by the next change.
        guard let count = try? await database.read({ try AccountTables.count(in: $0) }) else { return }
        Gauge(label: "accounts_open").record(count)
    }

    /// Ends what waits for the end of sessions.
    package func close() async { sessions.finish() }
}
