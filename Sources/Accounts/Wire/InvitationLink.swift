import Foundation

/// An invitation to a hub as a link: `tandem-account://join?hub=wss%3A%2F%2Fhub.example&c=482913730655`.
public struct InvitationLink: Hashable, Sendable {
    public static let scheme = "tandem-account"
    static let byteLimit = 1024
    /// Of the hub's address: escaped it is three times as long.
    static let hubByteLimit = 255

    /// The hub's address as devices dial it, `ws://…` or `wss://…`, at most 255 bytes.
    public let hub: String
    public let code: InvitationCode

    public init(hub: String, code: InvitationCode) {
        self.hub = hub
        self.code = code
    }

    /// Nil for anything that is no such link.
    public init?(text: String) {
        guard text.utf8.count <= Self.byteLimit, let parts = URLComponents(string: text), parts.scheme == Self.scheme,
            parts.host == "join", parts.user == nil, parts.path.isEmpty
        else { return nil }
        let items = Dictionary(
            (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
        guard let hub = items["hub"], hub.utf8.count <= Self.hubByteLimit, let url = URLComponents(string: hub),
            ["ws", "wss"].contains(url.scheme),
            url.host?.isEmpty == false, url.user == nil, let code = items["c"].flatMap({ InvitationCode($0) })
        else { return nil }
        self.init(hub: hub, code: code)
    }

    public var text: String {
        // URLComponents leaves ":" and "/" in a query as they are, which some programs cut a pasted link at.
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let escaped = hub.addingPercentEncoding(withAllowedCharacters: plain) ?? hub
        return "\(Self.scheme)://join?hub=\(escaped)&c=\(code.digits)"
    }
}
