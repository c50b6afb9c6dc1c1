package import Accounts
import Kernel
import Principals

extension AccountsControl {
    package struct Invite: Codable, Hashable, Sendable {
        static let standardUses = 1
        static let standardDays = 7

        /// People that may come with it, 1 to 10,000; nil for one.
        package var uses: Int?
        /// Days for which it is good, 1 to 365; nil for seven.
        package var days: Int?

        package init(uses: Int? = nil, days: Int? = nil) {
            self.uses = uses
            self.days = days
        }
    }

    package struct Invited: Codable, Hashable, Sendable {
        package var id: String
        /// Twelve digits.
        package var code: String
        package var uses: Int
        /// Milliseconds since 1970.
        package var endsAt: Int64
        /// Who may make an account here: an invitation means nothing where nobody may, or anybody.
        package var admission: String
    }

    package struct InvitationID: Codable, Hashable, Sendable {
        package var id: String

        package init(_ id: String) { self.id = id }
    }

    package struct InvitationList: Codable, Hashable, Sendable {
        /// The oldest first.
        package var invitations: [Invitation]
    }

    /// An open invitation. Times are in milliseconds since 1970.
    package struct Invitation: Codable, Hashable, Sendable {
        package var id: String
        package var uses: Int
        package var used: Int
        package var createdAt: Int64
        package var endsAt: Int64

        init(_ entry: Invitations.Entry) {
            id = entry.id
            uses = entry.uses
            used = entry.used
            createdAt = entry.createdAt
            endsAt = entry.endsAt
        }
    }

    package struct UserQuery: Codable, Hashable, Sendable {
        static let limits = 1...1000
        static let standardLimit = 100

        /// How many are told at most; nil for 100.
        package var limit: Int?
        /// The `next` of the answer before.
        package var after: Int64?

        package init(limit: Int? = nil, after: Int64? = nil) {
            self.limit = limit
            self.after = after
        }
    }

    package struct UserList: Codable, Hashable, Sendable {
        /// By their numbers.
        package var users: [User]
        /// How many there are.
        package var total: Int
        /// Where the next page begins; nil on the last one.
        package var next: Int64?
    }

    package struct UserReference: Codable, Hashable, Sendable {
        /// A name, an id `tb_7` or a number.
        package var user: String

        package init(_ user: String) { self.user = user }
    }

    package struct User: Codable, Hashable, Sendable {
        package var uid: Int64
        package var userID: String
        package var name: String
        package var nickname: String
        /// Milliseconds since 1970.
        package var createdAt: Int64
        package var suspended: Bool
        package var devices: Int
        /// When one of the devices was last seen; nil where none was.
        package var lastSeenAt: Int64?

        init(_ account: Account, _ sessions: AccountSessions) {
            let entries = sessions.all(of: account.person)
            uid = account.person.number
            userID = account.person.imUserID
            name = account.name.text
            nickname = account.nickname
            createdAt = account.createdAt
            suspended = sessions.isClosed(account.person)
            devices = entries.count
            lastSeenAt = entries.compactMap(\.lastSeenAt).max()
        }
    }

    package struct UserDetails: Codable, Hashable, Sendable {
        package var user: User
        package var devices: [AccountDevice]
    }

    package struct EndedSessions: Codable, Hashable, Sendable {
        package var name: String
        package var count: Int
    }
}
