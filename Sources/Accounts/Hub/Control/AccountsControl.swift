import Accounts
package import Control
import Foundation
import Kernel

/// The control methods of a hub's accounts. The members' names are those that `--json` prints.
package struct AccountsControl: Sendable {
    package static let invite = ControlMethod<Invite, Invited>(
        "accounts.invite",
        summary: "Make an invitation to this hub. Its code is told this once."
    )
    package static let invitations = ControlMethod<NoControlParameters, InvitationList>(
        "accounts.invitations",
        summary: "The invitations that are open."
    )
    package static let takeBack = ControlMethod<InvitationID, NoControlAnswer>(
        "accounts.takeBack",
        summary: "Take an invitation back."
    )
    package static let list = ControlMethod<UserQuery, UserList>(
        "accounts.list",
        summary: "The people with accounts at this hub, page by page."
    )
    package static let show = ControlMethod<UserReference, UserDetails>(
        "accounts.show",
        summary: "A person's account and devices."
    )
    package static let suspend = ControlMethod<UserReference, User>(
        "accounts.suspend",
        summary: "Let an account do nothing until it is resumed."
    )
    package static let resume = ControlMethod<UserReference, User>(
        "accounts.resume",
        summary: "Let a suspended account go on."
    )
    package static let delete = ControlMethod<UserReference, User>(
        "accounts.delete",
        summary: "Delete an account, which is named by its name, with everything that the hub keeps of it."
    )
    package static let endSessions = ControlMethod<UserReference, EndedSessions>(
        "accounts.endSessions",
        summary: "Sign a person out on all devices."
    )

    let accounts: Accounts

    var routes: [ControlRoute] { invitationRoutes + userRoutes }

    private var invitationRoutes: [ControlRoute] {
        let invitations = accounts.invitations
        return [
            ControlRoute(Self.invite) { [accounts] request in
                let (entry, code) = try await invitations.make(
                    uses: request.uses ?? Invite.standardUses,
                    days: request.days ?? Invite.standardDays,
                    at: accounts.now
                )
                return Invited(
                    id: entry.id,
                    code: code.digits,
                    uses: entry.uses,
                    endsAt: entry.endsAt,
                    admission: accounts.policy.admission.rawValue
                )
            },
            ControlRoute(Self.invitations) { [accounts] _ in
                InvitationList(invitations: try await invitations.open(at: accounts.now).map(Invitation.init))
            },
            ControlRoute(Self.takeBack) { request in
                try await invitations.takeBack(request.id)
                return NoControlAnswer()
            },
        ]
    }

    private var userRoutes: [ControlRoute] {
        [
            ControlRoute(Self.list) { [accounts] query in
                let limit = query.limit ?? UserQuery.standardLimit
                guard UserQuery.limits.contains(limit) else {
                    throw ControlError.badParameter(name: "limit", expected: "1 to \(UserQuery.limits.upperBound)")
                }
                let (page, total) = try await accounts.page(after: query.after ?? 0, limit: limit + 1)
                let shown = page.prefix(limit)
                return UserList(
                    users: shown.map { User($0, accounts.sessions) },
                    total: total,
                    next: page.count > limit ? shown.last?.person.number : nil
                )
            },
            ControlRoute(Self.show) { [accounts] reference in
                let account = try await accounts.find(reference.user)
                let devices = accounts.sessions.all(of: account.person).map { AccountDevice($0, isCurrent: false) }
                return UserDetails(user: User(account, accounts.sessions), devices: devices)
            },
            ControlRoute(Self.suspend) { [accounts] reference in
                let account = try await accounts.find(reference.user)
                try await accounts.suspend(account.person)
                return User(account, accounts.sessions)
            },
            ControlRoute(Self.resume) { [accounts] reference in
                let account = try await accounts.find(reference.user)
                try await accounts.resume(account.person)
                return User(account, accounts.sessions)
            },
            ControlRoute(Self.delete) { [accounts] reference in
                let account = try await accounts.find(reference.user)
                // A slip in a number must not delete somebody else.
                guard AccountName(reference.user) == account.name else { throw AccountsError.otherName }
                let user = User(account, accounts.sessions)
                try await accounts.delete(account)
                return user
            },
            ControlRoute(Self.endSessions) { [accounts] reference in
                let account = try await accounts.find(reference.user)
                return EndedSessions(
                    name: account.name.text,
                    count: try await accounts.endSessions(of: account.person)
                )
            },
        ]
    }
}
