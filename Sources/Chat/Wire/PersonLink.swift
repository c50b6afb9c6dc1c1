public import Accounts
import Foundation
import Kernel

/// A person at a hub as a link: `tandem-account://chat?hub=wss%3A%2F%2Fhub.example&u=tb_7&n=Ada&k=…`. Whoever opens it can write to the person.
public struct PersonLink: Hashable, Sendable {
    static let byteLimit = 2048
    /// Of the hub's address: escaped it is three times as long.
    static let hubByteLimit = 255

    /// The hub's address as devices dial it, `ws://…` or `wss://…`, at most 255 bytes.
    public let hub: String
    public let user: UserID
    /// At most 256 bytes; empty where it is not told.
    public let name: String
    /// SHA-256 of the first entry of the person's list of devices, so that the hub cannot put another in its place; nil before there is one.
    public let chain: [UInt8]?

    public init(hub: String, user: UserID, name: String, chain: [UInt8]? = nil) {
        self.hub = hub
        self.user = user
        self.name = name
        self.chain = chain
    }

    /// Nil for anything that is no such link.
    public init?(text: String) {
        guard text.utf8.count <= Self.byteLimit, let parts = URLComponents(string: text),
            parts.scheme == InvitationLink.scheme, parts.host == "chat", parts.user == nil, parts.path.isEmpty
        else { return nil }
        let items = Dictionary(
            (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
        guard let hub = items["hub"], hub.utf8.count <= Self.hubByteLimit, let url = URLComponents(string: hub),
            ["ws", "wss"].contains(url.scheme), url.host?.isEmpty == false, url.user == nil,
            let user = items["u"].flatMap({ UserID(imUserID: $0) })
        else { return nil }
        let name = items["n"] ?? ""
        guard name.utf8.count <= ChatLimits.name else { return nil }
        var chain: [UInt8]?
        if let text = items["k"] {
            guard let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
            chain = bytes
        }
        self.init(hub: hub, user: user, name: name, chain: chain)
    }

    public var text: String {
        // URLComponents leaves ":" and "/" in a query as they are, which some programs cut a pasted link at.
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
        let key = chain.map { "&k=\(Base64URL.encode($0))" } ?? ""
        return "\(InvitationLink.scheme)://chat?hub=\(escaped(hub))&u=\(user.imUserID)&n=\(escaped(name))\(key)"
    }
}
