public import Kernel

/// Says where the asking device can be woken when it is closed, or that it cannot any more. Ours.
public struct RegisterPush: ChatWire {
    /// A browser's push subscription. Source: RFC 8291 and 8292.
    public struct Subscription: Hashable, Sendable {
        /// The push service's address for this device, https.
        public var endpoint: String
        /// The device's P-256 key, 65 bytes as base64url.
        public var publicKey: String
        /// 16 bytes as base64url.
        public var secret: String
        /// The private key that the subscription is bound to, 32 bytes as base64url, where the device has one for all who wake it; nil for the hub's.
        public var applicationKey: String?

        public init(endpoint: String, publicKey: String, secret: String, applicationKey: String? = nil) {
            self.endpoint = endpoint
            self.publicKey = publicKey
            self.secret = secret
            self.applicationKey = applicationKey
        }

        /// - Throws: ``ChatError/malformed(_:)``, ``ChatError/tooLong(_:limit:)``.
        public init(wire: JSONValue) throws(ChatError) {
            let members = try WireMembers(wire, of: "subscription")
            let keys = WireMembers(members.value("keys")?.objectValue ?? members.values)
            endpoint = try members.required("endpoint", atMost: ChatLimits.url)
            publicKey = try keys.required("p256dh", atMost: 128)
            secret = try keys.required("auth", atMost: 64)
            applicationKey = members.nonEmpty("applicationKey")
            guard (applicationKey?.utf8.count ?? 0) <= 64 else { throw .tooLong("applicationKey", limit: 64) }
        }

        public var wire: JSONValue {
            .members([
                "endpoint": .string(endpoint), "p256dh": .string(publicKey), "auth": .string(secret),
                "applicationKey": applicationKey.map(JSONValue.string),
            ])
        }
    }

    /// What becomes of the subscription.
    public enum Change: Hashable, Sendable {
        /// It stays as it is: the request only asks for the key.
        case none
        case remove
        /// - Parameter showsText: Whether a push may hold the words of a message that is not sealed.
        case set(Subscription, showsText: Bool)
    }

    public var change: Change

    public init(_ change: Change) { self.change = change }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        switch members.values["subscription"] {
        case nil: change = .none
        case .null?: change = .remove
        case let value?:
            change = .set(try Subscription(wire: value), showsText: members.flag("previews") ?? false)
        }
    }

    public var wire: JSONValue {
        switch change {
        case .none: [:]
        case .remove: ["subscription": .null]
        case .set(let subscription, let showsText):
            ["subscription": subscription.wire, "previews": .bool(showsText)]
        }
    }
}

/// The key to which a device binds its subscription.
public struct PushKey: ChatWire {
    /// What a browser takes as `applicationServerKey`: 65 bytes as base64url.
    public var applicationServerKey: String

    public init(applicationServerKey: String) { self.applicationServerKey = applicationServerKey }

    public init(wire: JSONValue) throws(ChatError) {
        applicationServerKey = try WireMembers(wire, of: "answer").required("applicationServerKey", atMost: 128)
    }

    public var wire: JSONValue { ["applicationServerKey": .string(applicationServerKey)] }
}
