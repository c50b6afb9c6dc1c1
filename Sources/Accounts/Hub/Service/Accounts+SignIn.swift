package import Accounts
import Foundation
import GRDB
import Kernel
import Logging
import Metrics
import Principals
import Sealing

extension Accounts {
    // MARK: New accounts

    /// Makes an account and begins its first session. A device whose key opens the account of that name already is signed in: its answer was lost.
    ///
    /// - Throws: ``AccountsError``; what the database says.
    package func register(_ request: RegisterRequest, _ call: AccountCall) async throws -> AccountSession {
        guard let name = AccountName(request.name) else { throw AccountsError.badName }
        guard let nickname = ShownName.clean(request.nickname ?? "") else { throw AccountsError.badNickname }
        let device = try device(request.device)
        let key = try key(of: request, call)
        let password = try request.password.map { try Password($0) }
        guard key != nil || password != nil else { throw AccountsError.noProof }
        if let key, let known = try await database.read({ try AccountTables.account(withKey: key, in: $0) }) {
            guard known.name == name else { throw AccountsError.keyTaken }
            return try await begin(known, device, key: key, call)
        }
        let invitation = try await admit(request.invitation, call)
        var hash: PasswordHash?
        if let password { hash = try await passwords.hash(password, for: call.address) }
        let now = now
        let account = try await database.write { [hash] database in
            let account = try AccountTables.insert(
                name,
                nickname: nickname.isEmpty ? name.text : nickname,
                password: hash,
                at: now,
                in: database
            )
            if let key { try AccountTables.add(key, to: account.person, at: now, in: database) }
            if let invitation { try Invitations.use(invitation, at: now, in: database) }
            return account
        }
        // Only now: a code that is shown and not used must not set the count of guesses back.
        if invitation != nil { limits.guessed(rightly: true, codeBy: call) }
        Counter(label: "accounts_created").increment()
        logger.notice("an account was made", metadata: ["account": "\(account.person)"])
        await tellCount()
        return try await begin(account, device, key: key, call)
    }

    /// Whether a new account may be made.
    ///
    /// - Returns: The invitation to use up; nil where none is needed.
    private func admit(_ text: String?, _ call: AccountCall) async throws -> InvitationCode? {
        switch policy.admission {
        case .nobody: throw AccountsError.closed
        case .anybody:
            try limits.newcomer(call)
            return nil
        case .invitation:
            guard let text else { throw AccountsError.invitationNeeded }
            try limits.mayGuessCode(call)
            guard let code = InvitationCode(text), try await invitations.isOpen(code, at: now) else {
                limits.guessed(rightly: false, codeBy: call)
                Counter(label: "accounts_refused").increment()
                throw AccountsError.invitationRefused
            }
            return code
        }
    }

    // MARK: Sessions

    /// Begins a session by the device's key, or by name and password; then a key that signed the request is added to the account.
    ///
    /// - Throws: ``AccountsError``; what the database says.
    package func login(_ request: LoginRequest, _ call: AccountCall) async throws -> AccountSession {
        let device = try device(request.device)
        let key = try key(of: request, call)
        if let key, let account = try await database.read({ try AccountTables.account(withKey: key, in: $0) }) {
            guard request.name.map({ AccountName($0) == account.name }) ?? true else { throw AccountsError.keyTaken }
            return try await begin(account, device, key: key, call)
        }
        guard let text = request.password else {
            throw key == nil ? AccountsError.noProof : AccountsError.keyUnknown
        }
        guard let name = request.name.flatMap({ AccountName($0) }) else { throw AccountsError.wrongPassword }
        let account = try await account(named: name, by: text, call)
        if let key {
            let now = now
            try await database.write { try AccountTables.add(key, to: account.person, at: now, in: $0) }
        }
        return try await begin(account, device, key: key, call)
    }

    /// Another access token.
    ///
    /// - Throws: ``AccountsError``; what the database says.
    package func refresh(_ request: RefreshRequest, _ call: AccountCall) async throws -> AccountSession {
        let entry: SessionEntry
        let key = try key(of: request, call)
        if let token = request.refreshToken {
            guard let found = sessions.match(token, now: time.date) else { throw AccountsError.refreshRefused }
            entry = found
        } else {
            guard let key else { throw AccountsError.noProof }
            let owner = try await database.read { try AccountTables.account(withKey: key, in: $0) }
            guard let owner else { throw AccountsError.keyUnknown }
            guard let found = sessions.session(withKey: key, of: owner.person) else {
                throw AccountsError.refreshRefused
            }
            entry = found
        }
        guard let account = try await account(entry.holder.person) else { throw AccountsError.refreshRefused }
        guard !sessions.isClosed(account.person) else { throw AccountsError.suspended }
        let successor = try await sessions.visit(
            entry.id,
            takesSuccessor: request.refreshToken != nil,
            from: call.address,
            now: time.date
        )
        return try await answer(account, entry, refreshToken: successor)
    }

    /// Finds the account of a name and a password. A wrong password and an unknown name take as long and are told alike.
    private func account(named name: AccountName, by text: String, _ call: AccountCall) async throws -> Account {
        try limits.mayGuessPassword(of: name, call)
        // One that cannot be a password is a wrong one; it costs nothing to refuse, and tells nothing.
        guard let password = try? Password(text) else { throw AccountsError.wrongPassword }
        let account = try await database.read { try AccountTables.account(named: name, in: $0) }
        let isRight = try await passwords.matches(password, account?.password, for: call.address)
        limits.guessed(rightly: isRight, passwordOf: name, call)
        guard isRight, let account else {
            Counter(label: "accounts_refused").increment()
            throw AccountsError.wrongPassword
        }
        // The cost was raised since: only now is the password known.
        if let old = account.password, old.parameters != policy.scrypt {
            let new = try await passwords.hash(password, for: call.address)
            try await database.write { try AccountTables.replace(old, by: new, of: account.person, in: $0) }
        }
        return account
    }

    private func begin(
        _ account: Account,
        _ device: DeviceDescription,
        key: DID?,
        _ call: AccountCall
    ) async throws -> AccountSession {
        guard !sessions.isClosed(account.person) else { throw AccountsError.suspended }
        let holder = SessionHolder(
            person: account.person,
            name: device.name,
            platform: device.platformID,
            did: key
        )
        let (entry, secret) = try await sessions.begin(holder, from: call.address, now: time.date)
        Counter(label: "accounts_signed_in").increment()
        return try await answer(account, entry, refreshToken: secret)
    }

    private func answer(
        _ account: Account,
        _ entry: SessionEntry,
        refreshToken: Secret?
    ) async throws -> AccountSession {
        let token = try await tokens.make(for: account.person, on: entry.holder.platform, session: entry.id)
        return AccountSession(
            uid: account.person.number,
            userID: account.person.imUserID,
            name: account.name.text,
            nickname: account.nickname,
            device: entry.id,
            accessToken: token,
            expiresIn: AccessTokens.lifetime,
            refreshToken: refreshToken?.text
        )
    }

    private func device(_ claim: DeviceDescription) throws(AccountsError) -> DeviceDescription {
        guard let name = ShownName.clean(claim.name), PlatformID.range.contains(claim.platformID.rawValue) else {
            throw .badDevice
        }
        return DeviceDescription(name: name.isEmpty ? "\(claim.platformID)" : name, platformID: claim.platformID)
    }
}
