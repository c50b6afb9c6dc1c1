public import Accounts
public import AccountsClient
public import WebClient

/// The account whose conversations a repository keeps.
public struct ChatAccount: Hashable, Sendable {
    public let user: UserID
    /// The hub's address, without a path. The same number at another hub is another person.
    public let hub: WebURL
    public let name: String
    public let nickname: String

    public init(user: UserID, hub: WebURL, name: String, nickname: String) {
        self.user = user
        self.hub = hub
        self.name = name
        self.nickname = nickname
    }

    public init(_ account: KnownAccount) {
        self.init(user: account.user, hub: account.hub, name: account.name, nickname: account.nickname)
    }

    /// The hub's address as devices dial it: `ws://…` or `wss://…`.
    var dialled: String { "\(hub.isSecure ? "wss" : "ws")://\(hub.authority)" }
}
