package import Capabilities
import Chat
import Foundation
import Kernel

/// The settings of a hub's conversations.
package struct ChatHubSettings: Hashable, Sendable {
    /// How long after sending a message can be taken back; nil for any time.
    package var recallWindow: Duration? = .seconds(120)
    /// Whether people are told what the other one has read and received.
    package var hasReceipts = true
    /// Whether a first message is a request.
    package var strangersAsk = true
    /// Messages of one person: a burst, and each second on average.
    package var messageBurst = 60.0
    package var messagesPerSecond = 10.0
    /// Requests of one person that are no messages: a burst, and each second on average. A heavy one counts for several.
    package var requestBurst = 240.0
    package var requestsPerSecond = 20.0
    /// Conversations that one person begins with strangers: a burst, and each hour on average.
    package var strangerBurst = 10.0
    package var strangersPerHour = 20.0
    /// How long a view-once picture stays open for the device that opened it. 30 to 60 s.
    package var flashLease: Duration = .seconds(45)
    /// How long one that nobody opens is kept.
    package var flashLifetime: Duration = .seconds(14 * 86_400)
    /// The address of the hub as people reach it, without a slash at the end; empty where addresses of media are to begin with their path.
    package var address = ""
    /// An app's backend that is told of messages; nil for none.
    package var webhook: WebhookTarget?
    /// Where push services reach who runs the hub, `mailto:` or `https:`; nil for nowhere, which Apple's does not take.
    package var pushContact: String?

    package init() {}
}

extension ChatHubSettings {
    /// The longest window of the setting, in seconds: a week.
    private static let windowLimit: Int64 = 7 * 86_400

    package static let settings = otherSettings + ChatRate.allCases.map(\.setting)

    private static let otherSettings = [
        FeatureSetting(
            "chatRecallSeconds",
            .integer,
            summary: "Seconds in which a sent message can be taken back, up to a week (120); 0 for never."
        ),
        FeatureSetting(
            "chatReceipts",
            .flag,
            summary: "Whether people see what the other one has received and read (true)."
        ),
        FeatureSetting(
            "chatStrangersAsk",
            .flag,
            summary: "Whether the first message to somebody new waits until it is accepted (true)."
        ),
        FeatureSetting(
            "chatAddress",
            .text,
            summary:
                "The address at which people reach this hub, such as https://hub.example.org, for addresses of pictures."
        ),
        FeatureSetting(
            "chatWebhook",
            .text,
            summary: "The address of an app's backend that is told of messages."
        ),
        FeatureSetting(
            "chatWebhookSecret",
            .text,
            isSecret: true,
            summary: "What the hub signs with for chatWebhook: 16 bytes at least."
        ),
        FeatureSetting(
            "chatPushContact",
            .text,
            summary: "Where push services reach you, mailto:… or https:…; Apple's wants one."
        ),
    ]

    /// - Throws: ``ChatHubError/malformed(_:)`` with the name of a setting.
    package init(_ context: FeatureContext) throws(ChatHubError) {
        self.init()
        if let seconds = context.settings["chatRecallSeconds"]?.integerValue {
            guard (0...Self.windowLimit).contains(seconds) else { throw .malformed("chatRecallSeconds") }
            recallWindow = .seconds(seconds)
        }
        for rate in ChatRate.allCases {
            guard let value = context.settings[rate.name]?.integerValue else { continue }
            guard ChatRate.values.contains(value) else { throw .malformed(rate.name) }
            self[keyPath: rate.path] = Double(value)
        }
        if case .bool(let isOn)? = context.settings["chatReceipts"] { hasReceipts = isOn }
        if case .bool(let isOn)? = context.settings["chatStrangersAsk"] { strangersAsk = isOn }
        pushContact = context.settings["chatPushContact"]?.stringValue
        if let url = context.settings["chatWebhook"]?.stringValue, !url.isEmpty {
            webhook = try WebhookTarget(url: url, secret: context.settings["chatWebhookSecret"]?.stringValue)
        }
        guard let text = context.settings["chatAddress"]?.stringValue, !text.isEmpty else { return }
        guard let url = URL(string: text), ["https", "http"].contains(url.scheme), url.host() != nil, url.query == nil,
            url.path.isEmpty || url.path == "/", url.user == nil
        else { throw .malformed("chatAddress") }
        address = text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

/// Bounds of what people send and ask for. They are checked before anything is done with it.
package enum ChatHubLimits {
    /// Bytes of a content.
    package static let contentBytes = 64 << 10
    /// Bytes of a sealed content, which holds a key for each device.
    package static let sealedBytes = 192 << 10
    package static let clientIDBytes = ChatLimits.messageID
    /// Objects of one message, and bytes of a key.
    package static let objects = 20
    package static let objectKeyBytes = 200
    /// Bytes of the words of a notification; longer ones are cut.
    package static let pushBytes = 512
    package static let draftBytes = 16 << 10
    /// Messages of a page, and messages that are deleted at a time.
    package static let page = 200
    /// Conversations of one question.
    package static let conversations = 200
    /// Bytes of contents of one answer.
    package static let answerBytes = 4 << 20
    package static let events = 500
    package static let blocks = 10_000
    /// Open reports of one person, and bytes of a reason.
    package static let reports = 100
    package static let reasonBytes = 2 << 10
    /// People whose presence one connection follows.
    package static let watched = 500
    /// Connections of one person.
    package static let connections = 16
    /// Pushes that wait for one connection. Beyond it they are dropped for one hint to load anew.
    package static let waiting = 512
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
