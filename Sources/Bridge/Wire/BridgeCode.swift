import Foundation
import Kernel

/// The content of the picture for a new device: where the computer is, how its key is known, and a code that is good for one token.
/// `tandem-bridge://pair?h=host1,host2&p=9099&c=CODE&fp=…&n=name`.
public struct BridgeCode: Hashable, Sendable {
    static let scheme = "tandem-bridge"
    /// Hosts looked at.
    static let hostLimit = 8
    static let byteLimit = 1024
    /// Bytes of the name in a picture: escaped it is three times as long, and a picture holds little.
    static let nameByteLimit = 128

    /// Addresses or names, the likeliest first.
    public var hosts: [String]
    /// Where the bridge listens.
    public var port: UInt16
    /// Good for one token.
    public var code: String
    /// SHA-256 of the key's `SubjectPublicKeyInfo`; nil of a computer without TLS, where everything travels in the clear.
    public var keyHash: [UInt8]?
    /// The computer's name.
    public var name: String

    public init(hosts: [String], port: UInt16, code: String, keyHash: [UInt8]?, name: String) {
        self.hosts = hosts
        self.port = port
        self.code = code
        self.keyHash = keyHash
        self.name = name
    }

    /// - Returns: Nil for anything that is no such text.
    public init?(text: String) {
        guard text.utf8.count <= Self.byteLimit, let parts = URLComponents(string: text), parts.scheme == Self.scheme,
            parts.host == "pair", parts.user == nil, parts.path.isEmpty
        else { return nil }
        let items = Dictionary(
            (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
        let hosts = (items["h"] ?? "").split(separator: ",").prefix(Self.hostLimit).map(String.init)
        guard !hosts.isEmpty, hosts.allSatisfy(Self.isHost), let port = UInt16(items["p"] ?? ""), port > 0,
            let code = items["c"], (16...128).contains(code.utf8.count)
        else { return nil }
        self.hosts = hosts
        self.port = port
        self.code = code
        name = Self.short(items["n"] ?? "")
        switch items["fp"] {
        case nil, "": keyHash = nil
        case let text?:
            // A pin that cannot be read must not become none.
            guard let bytes = Hexadecimal.decode(text), bytes.count == 32 else { return nil }
            keyHash = bytes
        }
    }

    /// The text in the picture.
    public var text: String {
        var parts = URLComponents()
        parts.scheme = Self.scheme
        parts.host = "pair"
        parts.queryItems = [
            URLQueryItem(name: "h", value: hosts.prefix(Self.hostLimit).joined(separator: ",")),
            URLQueryItem(name: "p", value: "\(port)"), URLQueryItem(name: "c", value: code),
        ]
        if let keyHash { parts.queryItems?.append(URLQueryItem(name: "fp", value: Hexadecimal.encode(keyHash))) }
        parts.queryItems?.append(URLQueryItem(name: "n", value: Self.short(name)))
        return parts.string ?? ""
    }

    private static func short(_ name: String) -> String {
        var short = String(name.prefix(64))
        while short.utf8.count > nameByteLimit { short.removeLast() }
        return short
    }

    /// Letters, digits, dots, hyphens, and colons with a zone for IPv6.
    private static func isHost(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.hasOnlyLettersAndDigits(or: ".-:%_")
    }
}
