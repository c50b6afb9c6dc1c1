public import Control
public import Rights

/// The control methods of the bridge, for commands and pages on the computer.
public enum BridgeControl {
    /// How the bridge stands.
    public static let status = ControlMethod<NoControlParameters, BridgeStatus>(
        "bridge.status",
        summary: "Where the bridge listens, who is connected, and what it refused."
    )
    /// Makes a token, or a code that gives one.
    public static let newToken = ControlMethod<NewBridgeToken, GivenBridgeToken>(
        "bridge.token.new",
        summary: "Makes a token for one device, or a code to scan that gives it one."
    )
    /// Makes a code, tells it, and answers once a device used it, or it is over.
    public static let watchCode = ControlStream<NewBridgeToken, GivenBridgeToken, BridgeCodeEnd>(
        "bridge.token.watch",
        summary: "Makes a code to scan, and tells which device used it."
    )
    /// All tokens, without what they are.
    public static let tokens = ControlMethod<NoControlParameters, BridgeTokenList>(
        "bridge.token.list",
        summary: "The tokens of the bridge, without what they are."
    )
    /// Takes one back.
    public static let revoke = ControlMethod<BridgeTokenName, BridgeTokenEntry>(
        "bridge.token.revoke",
        summary: "Takes a token back and closes its sockets."
    )
}

/// How the bridge stands.
public struct BridgeStatus: Codable, Hashable, Sendable {
    /// Where it listens, or would; null when it is off.
    @OrNull public var address: String?
    /// Null while it does not listen.
    @OrNull public var port: Int?
    /// Why it does not listen; null when it does, or is off.
    @OrNull public var problem: String?
    /// SHA-256 of its key, hexadecimal; null without TLS.
    @OrNull public var fingerprint: String?
    /// Whether the local network may come without TLS.
    public var plain: Bool
    /// Sockets that proved themselves.
    public var sockets: Int
    /// Sockets that have yet to.
    public var unproven: Int
    /// Tokens that there are.
    public var tokens: Int
    /// How often what was refused since the start, by a word.
    public var refused: [String: Int]

    package init(
        address: String?,
        port: Int?,
        problem: String?,
        fingerprint: String?,
        plain: Bool,
        sockets: Int,
        unproven: Int,
        tokens: Int,
        refused: [String: Int]
    ) {
        self.address = address
        self.port = port
        self.problem = problem
        self.fingerprint = fingerprint
        self.plain = plain
        self.sockets = sockets
        self.unproven = unproven
        self.tokens = tokens
        self.refused = refused
    }
}

/// The parameters of a new token.
public struct NewBridgeToken: Codable, Hashable, Sendable {
    /// The device's name.
    public var name: String?
    /// Names of rights; null or empty: those that every token has.
    public var rights: [String]?
    /// Whether a code to scan is made instead.
    public var code: Bool?

    public init(name: String? = nil, rights: [String]? = nil, code: Bool? = nil) {
        self.name = name
        self.rights = rights
        self.code = code
    }
}

/// A new token, told this once, or a code that gives one.
public struct GivenBridgeToken: Codable, Hashable, Sendable {
    /// Null for a code.
    @OrNull public var entry: BridgeTokenEntry?
    @OrNull public var token: String?
    /// The text of the picture.
    @OrNull public var payload: String?
    /// When the code ends, in milliseconds since 1970.
    @OrNull public var expiresAt: Int64?
    public var rights: [Right]

    package init(
        entry: BridgeTokenEntry?,
        token: String?,
        payload: String?,
        expiresAt: Int64?,
        rights: [Right]
    ) {
        self.entry = entry
        self.token = token
        self.payload = payload
        self.expiresAt = expiresAt
        self.rights = rights
    }
}

/// The outcome of a code.
public struct BridgeCodeEnd: Codable, Hashable, Sendable {
    /// The token of the device that used it; null where none did in time.
    @OrNull public var entry: BridgeTokenEntry?

    package init(entry: BridgeTokenEntry?) { self.entry = entry }
}

/// A token as its owner sees it.
public struct BridgeTokenEntry: Codable, Hashable, Sendable {
    /// Names the token; it is no part of it.
    public var id: String
    /// Its device's name.
    public var name: String
    /// The rights that it gives.
    public var rights: [Right]
    /// Milliseconds since 1970, as the other times.
    public var createdAt: Int64
    /// When it was shown last; null for never.
    @OrNull public var lastSeenAt: Int64?
    /// Where it came from last.
    @OrNull public var address: String?
    /// Its open sockets.
    public var sockets: Int

    package init(
        id: String,
        name: String,
        rights: [Right],
        createdAt: Int64,
        lastSeenAt: Int64?,
        address: String?,
        sockets: Int
    ) {
        self.id = id
        self.name = name
        self.rights = rights
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.address = address
        self.sockets = sockets
    }
}

/// The tokens of a computer.
public struct BridgeTokenList: Codable, Hashable, Sendable {
    /// The oldest first.
    public var tokens: [BridgeTokenEntry]

    package init(tokens: [BridgeTokenEntry]) { self.tokens = tokens }
}

/// A token, by its id or its name.
public struct BridgeTokenName: Codable, Hashable, Sendable {
    /// Its id, or its device's name.
    public var id: String

    public init(_ id: String) { self.id = id }
}
