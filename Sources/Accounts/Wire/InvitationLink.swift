import Foundation

/// An invitation to a hub as a link: `tandem-account://join?hub=wss%3A%2F%2Fhub.example&c=482913730655` for programs on phones, and where the
/// hub serves a page for phones `https://hub.example/phone/#join=482913730655`, which a telephone without any program opens.
public struct InvitationLink: Hashable, Sendable {
    public static let scheme = "tandem-account"
    static let byteLimit = 1024
    private static let page = (path: "/phone/", start: "join=")
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
        guard text.utf8.count <= Self.byteLimit, let parts = URLComponents(string: text), parts.user == nil else {
            return nil
        }
        if let scheme = parts.scheme.flatMap({ ["https": "wss", "http": "ws"][$0] }) {
            self.init(page: parts, scheme: scheme)
            return
        }
        guard parts.scheme == Self.scheme, parts.host == "join", parts.path.isEmpty else { return nil }
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

    /// The code stands behind the `#`, which no browser sends to a server.
    private init?(page: URLComponents, scheme: String) {
        guard page.path == Self.page.path, page.query == nil, let fragment = page.fragment,
            fragment.hasPrefix(Self.page.start), let host = page.encodedHost, !host.isEmpty,
            let code = InvitationCode(String(fragment.dropFirst(Self.page.start.count)))
        else { return nil }
        let hub = "\(scheme)://\(host)" + (page.port.map { ":\($0)" } ?? "")
        guard hub.utf8.count <= Self.hubByteLimit else { return nil }
        self.init(hub: hub, code: code)
    }

    /// The invitation as a link to the hub's page for phones.
    ///
    /// - Parameter page: Its address, as `https://hub.example/phone/`.
    public func text(at page: String) -> String { "\(page)#\(Self.page.start)\(code.digits)" }

    public var text: String {
        // URLComponents leaves ":" and "/" in a query as they are, which some programs cut a pasted link at.
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let escaped = hub.addingPercentEncoding(withAllowedCharacters: plain) ?? hub
        return "\(Self.scheme)://join?hub=\(escaped)&c=\(code.digits)"
    }
}
