/// An entry of `NO_PROXY`: servers that are asked without a proxy.
struct ProxyException: Hashable, Sendable {
    private enum Servers: Hashable {
        case all
        /// The host, and every host below it.
        case domain(String)
        /// Addresses whose first bits are these.
        case network([UInt8], bits: Int)
    }

    private let servers: Servers
    private let port: Int?

    /// Reads `*`, a name (`example.com`, `.example.com` or `*.example.com`), an address, a network (`10.0.0.0/8`), each with `:port` behind it
    /// or not. Nil for anything else: curl and Go pass over such entries too.
    init?(_ text: String) {
        var name = text.lowercased()
        var port: Int?
        if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
            let rest = name[name.index(after: end)...]
            if rest.hasPrefix(":") { port = Int(rest.dropFirst()) }
            name = String(name[name.index(after: name.startIndex)..<end])
        } else if name.split(separator: ":", omittingEmptySubsequences: false).count == 2,
            let colon = name.firstIndex(of: ":")
        {
            port = Int(name[name.index(after: colon)...])
            guard port != nil else { return nil }
            name = String(name[..<colon])
        }
        self.port = port
        if name == "*" {
            servers = .all
        } else if let slash = name.firstIndex(of: "/") {
            guard let bytes = WebAddressBytes.parse(String(name[..<slash])),
                let bits = Int(name[name.index(after: slash)...]), (0...bytes.count * 8).contains(bits)
            else { return nil }
            servers = .network(bytes, bits: bits)
        } else if let bytes = WebAddressBytes.parse(name) {
            servers = .network(bytes, bits: bytes.count * 8)
        } else {
            var domain = name[...]
            if domain.hasPrefix("*.") { domain = domain.dropFirst(2) }
            if domain.hasPrefix(".") { domain = domain.dropFirst() }
            guard !domain.isEmpty else { return nil }
            servers = .domain(String(domain))
        }
    }

    func covers(_ url: WebURL) -> Bool {
        guard port == nil || port == url.port else { return false }
        switch servers {
        case .all: return true
        case .domain(let domain): return url.host == domain || url.host.hasSuffix("." + domain)
        case .network(let network, let bits):
            guard let bytes = WebAddressBytes.parse(url.host), bytes.count == network.count else { return false }
            return (0..<bits).allSatisfy { bit in (bytes[bit / 8] ^ network[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0 }
        }
    }
}
