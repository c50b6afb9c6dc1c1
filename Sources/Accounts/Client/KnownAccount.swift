public import Accounts
public import WebClient

/// The account that a device is signed in to.
public struct KnownAccount: Hashable, Sendable {
    /// The hub's address, without a path.
    public let hub: WebURL
    public let user: UserID
    public let name: String
    public let nickname: String
    /// The id of this device's session in the list of devices.
    public let device: String

    func renamed(_ nickname: String) -> KnownAccount {
        KnownAccount(hub: hub, user: user, name: name, nickname: nickname, device: device)
    }
}
