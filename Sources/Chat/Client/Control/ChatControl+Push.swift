import Chat
public import Control
import Kernel

/// Where this phone is woken while its program does not run.
extension ChatControl {
    public static let push = ControlMethod<PushPlace, NoControlAnswer>(
        "chat.push",
        summary:
            "Say where messages wake this phone while it is closed, or that they do not any more. The hub is told when it is reached."
    )

    public struct PushPlace: Codable, Hashable, Sendable {
        /// A browser's push subscription. Source: RFC 8291 and 8292.
        public struct Subscription: Codable, Hashable, Sendable {
            public var endpoint: String
            public var p256dh: String
            public var auth: String
            /// The private key that the subscription is bound to, 32 bytes as base64url; nil for the hub's.
            public var applicationKey: String?

            public init(endpoint: String, p256dh: String, auth: String, applicationKey: String? = nil) {
                self.endpoint = endpoint
                self.p256dh = p256dh
                self.auth = auth
                self.applicationKey = applicationKey
            }
        }

        /// Nil ends it.
        public var subscription: Subscription?
        /// Whether a push may hold the words of a message that is not sealed. Default: no.
        public var previews: Bool?

        public init(subscription: Subscription?, previews: Bool? = nil) {
            self.subscription = subscription
            self.previews = previews
        }

        /// - Throws: ``ChatError/malformed(_:)``, ``ChatError/tooLong(_:limit:)``.
        func change() throws(ChatError) -> RegisterPush.Change {
            guard let subscription else { return .remove }
            var wire: JSONValue = [
                "endpoint": .string(subscription.endpoint), "p256dh": .string(subscription.p256dh),
                "auth": .string(subscription.auth),
            ]
            if let key = subscription.applicationKey { wire = wire.adding("applicationKey", .string(key)) }
            // The bounds of what goes to the hub.
            return .set(try RegisterPush.Subscription(wire: wire), showsText: previews ?? false)
        }
    }
}
