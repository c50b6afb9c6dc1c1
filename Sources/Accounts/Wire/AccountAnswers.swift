/// The answers of `/account/…`: the data of an ``IMEnvelope``. The properties' names are the wire's; times are milliseconds since 1970.

/// A challenge, good once.
public struct Challenge: Codable, Hashable, Sendable {
    /// To be signed as the text that it is.
    public var challenge: String
    /// Seconds.
    public var expiresIn: Int

    public init(challenge: String, expiresIn: Int) {
        self.challenge = challenge
        self.expiresIn = expiresIn
    }
}

/// A session that was begun, or goes on: what register, login and refresh answer.
public struct AccountSession: Codable, Hashable, Sendable {
    public var uid: Int64
    /// `tb_` and the number.
    public var userID: String
    public var name: String
    public var nickname: String
    /// The id of the session in the list of devices.
    public var device: String
    /// For the header `token`, or `Authorization: Bearer`.
    public var accessToken: String
    /// Seconds for which ``accessToken`` is good.
    public var expiresIn: Int
    /// For `/account/refresh`. Nil in an answer to that where the one in use stays good.
    public var refreshToken: String?

    public init(
        uid: Int64,
        userID: String,
        name: String,
        nickname: String,
        device: String,
        accessToken: String,
        expiresIn: Int,
        refreshToken: String?
    ) {
        self.uid = uid
        self.userID = userID
        self.name = name
        self.nickname = nickname
        self.device = device
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}

/// The account of the person who asks.
public struct OwnAccount: Codable, Hashable, Sendable {
    public var uid: Int64
    public var userID: String
    public var name: String
    public var nickname: String
    /// The key of a picture; empty for none.
    public var avatar: String
    public var createdAt: Int64
    public var hasPassword: Bool
    /// How many keys open the account.
    public var keys: Int

    public init(
        uid: Int64,
        userID: String,
        name: String,
        nickname: String,
        avatar: String,
        createdAt: Int64,
        hasPassword: Bool,
        keys: Int
    ) {
        self.uid = uid
        self.userID = userID
        self.name = name
        self.nickname = nickname
        self.avatar = avatar
        self.createdAt = createdAt
        self.hasPassword = hasPassword
        self.keys = keys
    }
}

/// One session of a person, as the list of devices shows it.
public struct AccountDevice: Codable, Hashable, Sendable {
    public var device: String
    public var name: String
    public var platformID: PlatformID
    /// The key of the device; nil for one that signed in with a password.
    public var did: String?
    public var createdAt: Int64
    /// When it last renewed its access token; nil before that.
    public var lastSeenAt: Int64?
    /// The address it came from, of an IPv6 host the /64.
    public var address: String?
    /// Whether it is the one that asks.
    public var isCurrent: Bool

    public init(
        device: String,
        name: String,
        platformID: PlatformID,
        did: String?,
        createdAt: Int64,
        lastSeenAt: Int64?,
        address: String?,
        isCurrent: Bool
    ) {
        self.device = device
        self.name = name
        self.platformID = platformID
        self.did = did
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.address = address
        self.isCurrent = isCurrent
    }

    enum CodingKeys: String, CodingKey {
        case device, name, platformID, did, createdAt, lastSeenAt, address
        case isCurrent = "current"
    }
}

public struct AccountDeviceList: Codable, Hashable, Sendable {
    /// The one that began last comes last.
    public var devices: [AccountDevice]

    public init(devices: [AccountDevice]) { self.devices = devices }
}

/// A person as others see them.
public struct FoundAccount: Codable, Hashable, Sendable {
    public var uid: Int64
    public var userID: String
    public var name: String
    public var nickname: String
    /// As ``OwnAccount/avatar``.
    public var avatar: String

    public init(uid: Int64, userID: String, name: String, nickname: String, avatar: String) {
        self.uid = uid
        self.userID = userID
        self.name = name
        self.nickname = nickname
        self.avatar = avatar
    }
}
