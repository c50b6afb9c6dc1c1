public import Accounts
public import Control

/// How the person stands at the hub, for pages.
extension AccountControl {
    /// Asks the hub: unlike ``show`` it fails while that is away.
    public static let profile = ControlMethod<NoControlParameters, OwnAccount>(
        "account.profile",
        summary: "What the hub knows of the account: since when it is there, and what opens it."
    )
    public static let change = ControlMethod<ProfileRequest, AccountEntry>(
        "account.change",
        summary: "Change the nickname of the account; an empty one is the account's name."
    )

    static func profileRoutes(_ client: AccountClient) -> [ControlRoute] {
        [
            ControlRoute(profile) { _ in try await client.me() },
            ControlRoute(change) { profile in AccountEntry(try await client.change(profile)) },
        ]
    }
}
