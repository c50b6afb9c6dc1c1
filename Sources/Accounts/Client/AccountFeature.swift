public import Accounts
public import Capabilities
public import CommandClient
public import Control
import Kernel
import Sections
public import WebClient

/// A phone's account at a hub, for its commands and pages.
public struct AccountFeature: PeerFeature {
    /// - Parameters:
    ///   - device: How this phone stands in the account's list of devices.
    ///   - makeWeb: Makes the client that asks the hub, once for each run of the phone.
    public static func maker(
        device: DeviceDescription,
        web makeWeb: @escaping @Sendable () throws -> any WebClient
    ) -> PeerFeatureMaker {
        PeerFeatureMaker(
            "account",
            migrations: AccountStore.migrations,
            sections: [SectionDeclaration("account", migrations: AccountStore.migrations, tables: ["account"])]
        ) { context in
            let web = try makeWeb()
            let client = AccountClient(
                web: web,
                identity: context.identity,
                store: AccountStore(context.database),
                device: device,
                time: context.time
            )
            return AccountFeature(client, web: web)
        }
    }

    private let client: AccountClient
    private let web: any WebClient

    /// - Parameter web: What the client asks by; it is shut down with the feature.
    public init(_ client: AccountClient, web: any WebClient) {
        self.client = client
        self.web = web
    }

    public func close() async { await web.shutdown() }

    public var topics: [ControlTopic] {
        [ControlTopic(AccountControl.topic, changes: { [client] in client.changes() })]
    }

    public var controlRoutes: [ControlRoute] { AccountControl.profileRoutes(client) + sessionRoutes }

    private var sessionRoutes: [ControlRoute] {
        [
            ControlRoute(AccountControl.show) { [client] _ in
                AccountControl.AccountStanding(account: try await client.account().map { .init($0) })
            },
            ControlRoute(AccountControl.new) { [client] new in
                let code = try new.invitation.map { text throws(AccountClientError) in
                    guard let code = InvitationCode(text) else { throw .malformedInvitation }
                    return code
                }
                return .init(
                    try await client.register(
                        at: HubAddress.url(typed: new.hub),
                        name: new.name,
                        nickname: new.nickname,
                        password: new.password,
                        invitation: code
                    )
                )
            },
            ControlRoute(AccountControl.login) { [client] login in
                .init(
                    try await client.login(
                        at: HubAddress.url(typed: login.hub),
                        name: login.name,
                        password: login.password
                    )
                )
            },
            ControlRoute(AccountControl.devices) { [client] _ in
                AccountDeviceList(devices: try await client.devices())
            },
            ControlRoute(AccountControl.endDevice) { [client] end in
                try await client.end(device: end.device)
                return NoControlAnswer()
            },
            ControlRoute(AccountControl.password) { [client] password in
                try await client.setPassword(password.new, old: password.old)
                return NoControlAnswer()
            },
            ControlRoute(AccountControl.logout) { [client] _ in
                AccountControl.SignedOut(hubWasTold: try await client.logout())
            },
            ControlRoute(AccountControl.delete) { [client] delete in
                try await client.delete(confirming: delete.name)
                return NoControlAnswer()
            },
        ]
    }
}
