import Capabilities
import ChatHub
import NetworkWebClient
import Push
import Storage
import WebClient

extension Live {
    /// The conversations of a hub: with thumbnails by the program that reads pictures, with Web Push, and with an app's backend where one is set.
    static let chatHub = ChatHubFeature.maker { context, settings in
        let contact = try settings.pushContact.map { try VAPIDContact($0) }
        return ChatHubFeature.Services(
            pictures: pictures,
            pusher: try WebPushes(
                context.storage.folder(),
                time: context.time,
                logger: context.logger,
                configure: { WebPushConfiguration(key: $0, contact: contact) }
            ),
            web: settings.webhook == nil
                ? nil
                : try NetworkWebClient(
                    NetworkWebClientConfiguration(
                        proxies: WebProxySettings(environment: Running.console.environment)
                    )
                )
        )
    }
}
