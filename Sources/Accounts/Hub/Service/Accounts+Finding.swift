package import Accounts
import GRDB
import Kernel

extension Accounts {
    /// Tells who has a name, for people who want to write to somebody. Names are few and short, so both the person and the address they ask
    /// from are held to a rate: a list of who is here is not to be had by trying.
    ///
    /// - Throws: ``AccountsError/findingOff``, ``AccountsError/nameUnknown(_:)`` also for a suspended account,
    ///   ``AccountsError/badName``, ``AccountsError/tooOften(seconds:)``; what the database says.
    package func find(_ request: FindAccountRequest, for asker: Asker, _ call: AccountCall) async throws -> FoundAccount
    {
        guard policy.isFindable else { throw AccountsError.findingOff }
        guard let name = AccountName(request.name) else { throw AccountsError.badName }
        try limits.find(by: asker.person, call)
        let found = try await database.read { try AccountTables.account(named: name, in: $0) }
        guard let found, !found.isSuspended else { throw AccountsError.nameUnknown(name) }
        return FoundAccount(
            uid: found.person.number,
            userID: found.person.imUserID,
            name: found.name.text,
            nickname: found.nickname,
            avatar: found.avatar
        )
    }
}
