/// The authority of a request, `host` or `host:port`, taken apart as every server here understands it. Source: RFC 3986, section 3.2.
package struct RequestAuthority: Hashable, Sendable {
    /// The most bytes: a name of 253, brackets or a last dot, a colon and a port.
    private static let limit = 261

    /// As it was written, in lower case.
    package let text: String
    /// In lower case, without the brackets of an IPv6 address and without a last dot.
    package let host: String
    /// Nil where none is named.
    package let port: Int?

    /// The host as an address; nil for a name.
    package var address: NetworkAddress? { NetworkAddress(text: host) }

    /// Nil for what is no authority. Some programs write an IPv6 address without brackets; then there is no port.
    package init?(_ text: String) {
        let text = text.lowercased()
        guard !text.isEmpty, text.utf8.count <= Self.limit, !text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }),
            !text.contains(where: { "/@?#\\".contains($0) })
        else { return nil }
        var host = text[...]
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[..<end].dropFirst()
            let rest = text[end...].dropFirst()
            // Brackets are for addresses of IPv6, each of which has colons.
            guard host.contains(":"), rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[colon...].dropFirst()
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        guard !host.isEmpty, !host.contains(where: { "[]".contains($0) }) else { return nil }
        self.text = text
        self.host = String(host)
        guard let port, !port.isEmpty else {
            self.port = nil
            return
        }
        // A number of Swift may have a sign.
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port) else { return nil }
        self.port = Int(number)
    }
}
