import Kernel

/// The first message of a client. Documented programs send `{"type":"Hello","token":T}` or, as the first of them did, `{"token":T}`.
public struct BridgeHello: Hashable, Sendable {
    /// The client's proof.
    public enum Proof: Hashable, Sendable {
        case token(String)
        /// The code of a picture, good for one token.
        case code(String, name: String)
    }

    /// The version of ours that adds members to the answer.
    public static let ownVersion: Int64 = 2
    /// The longest first message, in bytes.
    public static let byteLimit = 4096

    /// The proof that the client shows.
    public var proof: Proof
    /// 1 for a documented client.
    public var version: Int64
    /// Whether the client keeps another token when it is given one.
    public var takesNextToken: Bool

    public init(_ proof: Proof, version: Int64 = 1, takesNextToken: Bool = false) {
        self.proof = proof
        self.version = version
        self.takesNextToken = takesNextToken
    }

    /// - Returns: Nil for anything else than a JSON object whose type is missing or `Hello`, with a text as its token or code that is not
    ///   empty.
    public init?(_ bytes: some Sequence<UInt8>) {
        guard let members = (try? JSONValue(parsing: bytes))?.objectValue else { return nil }
        switch members["type"] {
        case nil, .null?: break
        case .string(let type)? where BridgeMessage.normal(type) == "hello": break
        default: return nil
        }
        let version = max(1, members["v"]?.integerValue ?? 1)
        self.version = version
        takesNextToken = version >= Self.ownVersion && members["rotate"]?.boolValue == true
        if let token = members["token"]?.stringValue, !token.isEmpty {
            proof = .token(token)
        } else if version >= Self.ownVersion, let code = members["code"]?.stringValue, !code.isEmpty {
            proof = .code(code, name: members["name"]?.stringValue ?? "")
        } else {
            return nil
        }
    }

    /// The wire form.
    public var bytes: [UInt8] {
        var members: [(String, JSONValue)] = [("type", "Hello")]
        switch proof {
        case .token(let token): members.append(("token", .string(token)))
        case .code(let code, let name): members += [("code", .string(code)), ("name", .string(name))]
        }
        if version > 1 { members.append(("v", .integer(version))) }
        if takesNextToken { members.append(("rotate", true)) }
        return BridgeMessage.object(members)
    }
}

/// The server's answer to a ``BridgeHello`` that it believes.
public struct BridgeHelloAck: Hashable, Sendable {
    /// The token of the Hello; empty for clients of version 2, which need no echo.
    public var token: String
    /// Members that servers of ours add for clients of version 2.
    public var details: Details?

    /// The additional members for a client of version 2.
    public struct Details: Hashable, Sendable {
        /// Names the device that the token stands for.
        public var deviceID: String
        /// The computer's name.
        public var serverName: String
        /// The version of the bridge that the server speaks.
        public var protocolVersion: Int64
        /// A new token, to be kept in place of the token or code that was shown. Nil where that stays.
        public var nextToken: String?

        public init(deviceID: String, serverName: String, protocolVersion: Int64, nextToken: String? = nil) {
            self.deviceID = deviceID
            self.serverName = serverName
            self.protocolVersion = protocolVersion
            self.nextToken = nextToken
        }
    }

    public init(token: String, details: Details? = nil) {
        self.token = token
        self.details = details
    }

    /// Reads a message whose type says that it is one, or the binary form, which only has a token.
    init(_ members: [String: JSONValue]) {
        token = members["token"]?.stringValue ?? ""
        guard let id = members["device_id"]?.stringValue else { return }
        details = Details(
            deviceID: id,
            serverName: members["server_name"]?.stringValue ?? "",
            protocolVersion: members["protocol"]?.integerValue ?? BridgeHello.ownVersion,
            nextToken: members["next_token"]?.stringValue
        )
    }

    /// Reads what follows a Hello, as documented clients do: any text of this type; without a type an object whose token is the one that was
    /// sent, or empty.
    public init?(_ bytes: some Sequence<UInt8>, answering sent: String) {
        guard let members = (try? JSONValue(parsing: bytes))?.objectValue else { return nil }
        if let type = members["type"] {
            guard type.stringValue.map(BridgeMessage.normal) == "helloack" else { return nil }
        } else {
            guard let token = members["token"]?.stringValue, token.isEmpty || token == sent else { return nil }
        }
        self.init(members)
    }

    var bytes: [UInt8] {
        var members: [(String, JSONValue)] = [("type", "HelloAck"), ("token", .string(token))]
        if let details {
            members += [
                ("v", .integer(BridgeHello.ownVersion)), ("device_id", .string(details.deviceID)),
                ("server_name", .string(details.serverName)), ("protocol", .integer(details.protocolVersion)),
            ]
            if let next = details.nextToken { members.append(("next_token", .string(next))) }
        }
        return BridgeMessage.object(members)
    }
}
