public import Accounts
public import Control
import WebClient

/// What a phone's commands and pages ask of its account.
public enum AccountControl {
    public static let topic = "account"

    public static let show = ControlMethod<NoControlParameters, AccountStanding>(
        "account.show",
        summary: "The account of this phone."
    )
    public static let new = ControlMethod<NewAccount, AccountEntry>("account.new", summary: "Make an account at a hub.")
    public static let login = ControlMethod<AccountLogin, AccountEntry>(
        "account.login",
        summary: "Sign in to an account at a hub."
    )
    public static let devices = ControlMethod<NoControlParameters, AccountDeviceList>(
        "account.devices",
        summary: "The devices that are signed in to the account."
    )
    public static let endDevice = ControlMethod<EndDeviceRequest, NoControlAnswer>(
        "account.endDevice",
        summary: "Sign another device out."
    )
    public static let password = ControlMethod<PasswordRequest, NoControlAnswer>(
        "account.password",
        summary: "Set the account's password, or another one. Other devices are signed out."
    )
    public static let logout = ControlMethod<NoControlParameters, SignedOut>(
        "account.logout",
        summary: "Sign this phone out."
    )
    public static let delete = ControlMethod<DeleteAccountRequest, NoControlAnswer>(
        "account.delete",
        summary: "Delete the account and all that its hub keeps of it."
    )

    /// The account, if there is one.
    public struct AccountStanding: Codable, Hashable, Sendable {
        @OrNull public var account: AccountEntry?
    }

    /// An account as commands and pages show it.
    public struct AccountEntry: Codable, Hashable, Sendable {
        /// The hub's address, for example `https://hub.example:443`.
        public var hub: String
        /// For example `tb_7`.
        public var userID: String
        public var name: String
        public var nickname: String
        /// The id of this phone in the list of devices.
        public var device: String

        init(_ account: KnownAccount) {
            hub = account.hub.origin
            userID = account.user.imUserID
            name = account.name
            nickname = account.nickname
            device = account.device
        }
    }

    public struct NewAccount: Codable, Hashable, Sendable {
        /// As ``HubAddress/url(typed:)`` reads it.
        public var hub: String
        public var name: String
        public var nickname: String?
        /// Nil for an account that this phone's key opens.
        public var password: String?
        /// The code of an invitation; its digits may stand in groups.
        public var invitation: String?

        public init(
            hub: String,
            name: String,
            nickname: String? = nil,
            password: String? = nil,
            invitation: String? = nil
        ) {
            self.hub = hub
            self.name = name
            self.nickname = nickname
            self.password = password
            self.invitation = invitation
        }
    }

    public struct AccountLogin: Codable, Hashable, Sendable {
        /// As ``HubAddress/url(typed:)`` reads it.
        public var hub: String
        /// Needed with a password.
        public var name: String?
        /// Nil to sign in by this phone's key.
        public var password: String?

        public init(hub: String, name: String? = nil, password: String? = nil) {
            self.hub = hub
            self.name = name
            self.password = password
        }
    }

    public struct SignedOut: Codable, Hashable, Sendable {
        /// False where the hub was away: the session is in its list of devices until it is ended there.
        public var hubWasTold: Bool
    }
}
