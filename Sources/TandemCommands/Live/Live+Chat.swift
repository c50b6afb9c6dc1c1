import Accounts
import ChatClient
import CommandClient
import NetworkWebClient
import WebClient

extension Live {
    /// A phone's account at a hub and its conversations, over the network of this machine.
    ///
    /// - Parameter name: The phone's name in the account's list of devices; nil for one after the machine.
    static func chat(of name: String?) -> PeerFeatureMaker {
        ChatFeature.maker(
            ChatFeature.Surroundings(
                device: DeviceDescription(name: name ?? "\(machineName) phone", platformID: .linux),
                photos: pictures,
                network: network(),
                web: { [environment = Running.console.environment] in
                    try NetworkWebClient(
                        NetworkWebClientConfiguration(proxies: WebProxySettings(environment: environment))
                    )
                }
            )
        )
    }
}
