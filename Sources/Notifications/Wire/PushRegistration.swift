public import Commands
public import Kernel

/// Where a phone can be woken when it is closed: a browser's push subscription. Source: RFC 8291 and 8292.
public struct PushRegistration: MethodParameters, Hashable {
    /// The push service's address for this phone, https.
    public var endpoint: String
    /// The phone's P-256 key, 65 bytes as base64url.
    public var publicKey: String
    /// 16 bytes as base64url.
    public var secret: String
    /// The private key that this phone lets its computers prove themselves with at its push service: 32 bytes as base64url. One
    /// subscription is bound to one such key, so the phone makes it and gives it to each of its computers, sealed.
    public var applicationKey: String
    /// The computer's id as this phone knows it, at most ``NotificationLimits/name`` bytes: comes back in each message, which else says nothing of
    /// which computer it is from. Set when a computer is told.
    public var computer: String?

    public init(
        endpoint: String,
        publicKey: String,
        secret: String,
        applicationKey: String,
        computer: String? = nil
    ) {
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.secret = secret
        self.applicationKey = applicationKey
        self.computer = computer
    }

    public init(wire: RemoteParameters) throws {
        endpoint = try wire.text("endpoint", limit: 2048)
        publicKey = try wire.text("p256dh", limit: 128)
        secret = try wire.text("auth", limit: 64)
        applicationKey = try wire.text("applicationKey", limit: 64)
        computer = try wire.optionalText("device", limit: NotificationLimits.name)
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "endpoint": .string(endpoint), "p256dh": .string(publicKey), "auth": .string(secret),
            "applicationKey": .string(applicationKey),
        ]
        members["device"] = computer.map(JSONValue.string)
        return .object(members)
    }
}
