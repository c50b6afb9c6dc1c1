/// The requests of `/account/…`, each a JSON object in a POST. The properties' names are the wire's.

/// `/account/challenge`: asks for a challenge to sign.
public struct ChallengeRequest: Codable, Hashable, Sendable {
    /// The `did:key` that will sign.
    public var did: String

    public init(did: String) { self.did = did }
}

/// The device that a session is for, as it describes itself.
public struct DeviceDescription: Codable, Hashable, Sendable {
    /// The name for the list of devices, at most 64 characters.
    public var name: String
    public var platformID: PlatformID

    public init(name: String, platformID: PlatformID) {
        self.name = name
        self.platformID = platformID
    }
}

/// `/account/register`: makes an account, with a key or a password. Sent a second time after a lost answer, it signs in.
public struct RegisterRequest: ProvenRequest {
    public static let purpose = AccountProof.Purpose.register

    public var name: String
    /// The name to show, at most 64 characters; nil for the account's name.
    public var nickname: String?
    /// 10 to 1024 bytes; nil for an account that is opened by its key.
    public var password: String?
    public var device: DeviceDescription
    /// The code of an invitation, where the hub asks for one.
    public var invitation: String?
    public var did: String?
    public var challenge: String?
    public var signature: String?

    public init(
        name: String,
        nickname: String? = nil,
        password: String? = nil,
        device: DeviceDescription,
        invitation: String? = nil
    ) {
        self.name = name
        self.nickname = nickname
        self.password = password
        self.device = device
        self.invitation = invitation
    }
}

/// `/account/login`: begins a session, by the device's key or by name and password. A device whose key has a session gets that one anew.
public struct LoginRequest: ProvenRequest {
    public static let purpose = AccountProof.Purpose.login

    /// Needed with a password; with a key the account that it has to be of, where it is given.
    public var name: String?
    public var password: String?
    public var device: DeviceDescription
    public var did: String?
    public var challenge: String?
    public var signature: String?

    public init(name: String? = nil, password: String? = nil, device: DeviceDescription) {
        self.name = name
        self.password = password
        self.device = device
    }
}

/// `/account/refresh`: another access token, for the refresh token or for the key of the device.
public struct RefreshRequest: ProvenRequest {
    public static let purpose = AccountProof.Purpose.refresh

    public var refreshToken: String?
    public var did: String?
    public var challenge: String?
    public var signature: String?

    public init(refreshToken: String? = nil) { self.refreshToken = refreshToken }
}

/// `/account/key`: adds a key to the account of the device that asks. The key may be another device's, which signed the request and signs in by
/// itself then: so a second device comes to an account without a password.
public struct KeyRequest: ProvenRequest {
    public static let purpose = AccountProof.Purpose.key

    /// The account that the key shall open: nobody adds it to another one.
    public var userID: String
    public var did: String?
    public var challenge: String?
    public var signature: String?

    public init(userID: String) { self.userID = userID }
}

/// `/account/profile`: changes what is given.
public struct ProfileRequest: Codable, Hashable, Sendable {
    /// Empty for the account's name again.
    public var nickname: String?
    /// The key of a picture that was uploaded, at most 200 bytes; empty for none.
    public var avatar: String?

    public init(nickname: String? = nil, avatar: String? = nil) {
        self.nickname = nickname
        self.avatar = avatar
    }
}

/// `/account/devices/end`: ends the session of a device.
public struct EndDeviceRequest: Codable, Hashable, Sendable {
    /// The id of ``AccountDevice/device``.
    public var device: String

    public init(device: String) { self.device = device }
}

/// `/account/password`: sets a password, or another one. It ends the sessions of all other devices.
public struct PasswordRequest: Codable, Hashable, Sendable {
    /// The one before, where there is one.
    public var old: String?
    public var new: String

    public init(old: String? = nil, new: String) {
        self.old = old
        self.new = new
    }
}

/// `/account/delete`: deletes the account with everything that the hub keeps of it.
public struct DeleteAccountRequest: Codable, Hashable, Sendable {
    /// The account's own name, as a person types it to confirm.
    public var name: String

    public init(name: String) { self.name = name }
}

/// `/account/find`: asks who has a name.
public struct FindAccountRequest: Codable, Hashable, Sendable {
    /// The whole name: parts of one find nobody.
    public var name: String

    public init(name: String) { self.name = name }
}
