import Accounts
import AccountsClient
import CommandClient
import NetworkWebClient
import WebClient

extension Live {
    /// A phone's account at a hub, over the network of this machine.
    ///
    /// - Parameter name: The phone's name in the account's list of devices; nil for one after the machine.
    static func account(of name: String?) -> PeerFeatureMaker {
        AccountFeature.maker(
            device: DeviceDescription(name: name ?? "\(machineName) phone", platformID: .linux),
            web: { [environment = Running.console.environment] in
                try NetworkWebClient(
                    NetworkWebClientConfiguration(proxies: WebProxySettings(environment: environment))
                )
            }
        )
    }
}
