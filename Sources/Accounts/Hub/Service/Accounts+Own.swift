package import Accounts
import Foundation
import GRDB
import Kernel
import Logging
import Metrics
import Principals
import Sealing
import Storage

/// What people do with their own accounts.
extension Accounts {
    /// - Throws: What the database says.
    package func me(_ asker: Asker) async throws -> OwnAccount {
        let (account, keys) = try await database.read { database in
            (
                try AccountTables.account(asker.person, in: database),
                try AccountTables.keyCount(of: asker.person, in: database)
            )
        }
        guard let account else { throw AccountsError.sessionOver }
        return OwnAccount(
            uid: account.person.number,
            userID: account.person.imUserID,
            name: account.name.text,
            nickname: account.nickname,
            avatar: account.avatar,
            createdAt: account.createdAt,
            hasPassword: account.password != nil,
            keys: keys
        )
    }

    /// Changes what others are shown.
    ///
    /// - Throws: ``AccountsError/badNickname``, ``AccountsError/badAvatar``; what the database says.
    package func change(_ profile: ProfileRequest, by asker: Asker) async throws -> OwnAccount {
        let nickname = try profile.nickname.map { text throws(AccountsError) in
            guard let clean = ShownName.clean(text) else { throw .badNickname }
            return clean
        }
        if let avatar = profile.avatar, !avatar.isEmpty, !ObjectKey.isValid(avatar) {
            throw AccountsError.badAvatar
        }
        try await database.write { [avatars] database in
            guard let account = try AccountTables.account(asker.person, in: database) else {
                throw AccountsError.sessionOver
            }
            let shown = nickname.map { $0.isEmpty ? account.name.text : $0 } ?? account.nickname
            let avatar = profile.avatar ?? account.avatar
            if avatar != account.avatar {
                try avatars?.replace(database, account.avatar, avatar, asker.person)
            }
            try AccountTables.set(nickname: shown, avatar: avatar, of: asker.person, in: database)
        }
        return try await me(asker)
    }

    package func devices(of asker: Asker) -> AccountDeviceList {
        AccountDeviceList(
            devices: sessions.all(of: asker.person).map { AccountDevice($0, isCurrent: $0.id == asker.session) }
        )
    }

    /// Ends the session of a device. Another device's key does not open the account any more, either: it may be in other hands.
    ///
    /// - Throws: ``AccountsError/noSuchDevice``; what the database says.
    package func end(_ device: String, by asker: Asker) async throws {
        guard let entry = sessions[device], entry.holder.person == asker.person else {
            throw AccountsError.noSuchDevice
        }
        if let key = entry.holder.did, device != asker.session {
            try await database.write { try AccountTables.remove(key, of: asker.person, in: $0) }
        }
        try await sessions.end([device], of: asker.person)
    }

    /// Ends the session of the device that asks, whose key stays the account's: it may come again.
    ///
    /// - Throws: What the database says.
    package func logout(_ asker: Asker) async throws { try await sessions.end([asker.session], of: asker.person) }

    /// Ends the person's sessions on a platform, as OpenIM has it.
    ///
    /// - Throws: What the database says.
    package func logout(_ asker: Asker, everywhereOn platform: PlatformID) async throws {
        let ids = sessions.all(of: asker.person).filter { $0.holder.platform == platform }.map(\.id)
        try await sessions.end(ids, of: asker.person)
    }

    /// Sets a password and ends the sessions of all other devices.
    ///
    /// - Throws: ``AccountsError/wrongPassword`` where the one before is another; ``AccountsError/badPassword``; what the database says.
    package func setPassword(_ request: PasswordRequest, by asker: Asker, _ call: AccountCall) async throws {
        let password = try Password(request.new)
        guard let account = try await account(asker.person) else { throw AccountsError.sessionOver }
        if let kept = account.password {
            try limits.mayGuessPassword(of: account.name, call)
            guard let old = request.old, let typed = try? Password(old) else { throw AccountsError.wrongPassword }
            let isRight = try await passwords.matches(typed, kept, for: call.address)
            limits.guessed(rightly: isRight, passwordOf: account.name, call)
            guard isRight else { throw AccountsError.wrongPassword }
        }
        let hash = try await passwords.hash(password, for: call.address)
        try await database.write { try AccountTables.set(hash, of: asker.person, in: $0) }
        let others = sessions.all(of: asker.person).map(\.id).filter { $0 != asker.session }
        try await sessions.end(others, of: asker.person)
    }

    /// Adds the key that signed the request to the account.
    ///
    /// - Throws: ``AccountsError/keyTaken``, ``AccountsError/noProof``, ``AccountsError/othersAccount``; what the database says.
    package func addKey(_ request: KeyRequest, by asker: Asker, _ call: AccountCall) async throws -> OwnAccount {
        guard let key = try key(of: request, call) else { throw AccountsError.noProof }
        guard request.userID == asker.person.imUserID else { throw AccountsError.othersAccount }
        let now = now
        try await database.write { try AccountTables.add(key, to: asker.person, at: now, in: $0) }
        return try await me(asker)
    }

    /// Deletes the asker's account.
    ///
    /// - Throws: ``AccountsError/otherName`` unless the account's name was typed; what the database says.
    package func delete(_ request: DeleteAccountRequest, by asker: Asker) async throws {
        guard let account = try await account(asker.person) else { throw AccountsError.sessionOver }
        guard AccountName(request.name) == account.name else { throw AccountsError.otherName }
        try await delete(account)
    }

    /// Deletes an account with everything that was kept of the person, in one transaction, and its bytes in the database's files. Its sessions open
    /// nothing from the beginning on; the number stays closed, so that neither does one that begins meanwhile.
    ///
    /// - Throws: What the database or a removal says; then the account is whole.
    func delete(_ account: Account) async throws {
        let person = account.person
        sessions.close(person)
        let rest = (time.date + TimeInterval(AccountsPolicy.nameRest.components.seconds)).millisecondsSince1970
        do {
            try await database.write { [removals, avatars] database in
                // As it is by now, which may be another than when the deletion was asked for.
                let avatar = try AccountTables.account(person, in: database)?.avatar ?? ""
                if !avatar.isEmpty { try avatars?.replace(database, avatar, "", person) }
                for removal in removals { try removal.remove(database, person) }
                try AccountTables.delete(account, restingUntil: rest, in: database)
            }
        } catch {
            if !account.isSuspended { sessions.reopen(person) }
            throw error
        }
        do {
            try await sessions.end(sessions.all(of: person).map(\.id), of: person)
            // Older versions of the pages stand in the log until it is written back.
            try await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch {
            // The rows are gone: what is left over is removed by the next deletion, or by SQLite's own checkpoints.
            logger.notice(
                "a deletion left bytes behind for now",
                metadata: ["reason": "\(StorageError.telling(error))"]
            )
        }
        Counter(label: "accounts_deleted").increment()
        await tellCount()
        logger.notice("an account was deleted", metadata: ["account": "\(person)"])
        for removal in removals { await removal.afterwards(person) }
    }
}

extension AccountDevice {
    init(_ entry: SessionEntry, isCurrent: Bool) {
        self.init(
            device: entry.id,
            name: entry.holder.name,
            platformID: entry.holder.platform,
            did: entry.holder.did?.text,
            createdAt: entry.createdAt,
            lastSeenAt: entry.lastSeenAt,
            address: entry.address.flatMap { $0.isEmpty ? nil : $0 },
            isCurrent: isCurrent
        )
    }
}
