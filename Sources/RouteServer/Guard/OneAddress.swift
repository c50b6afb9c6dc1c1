package import Transport

/// The names of a page: the one address that it is at. Text for text, since every other spelling is another origin to a browser.
package struct OneAddress: HostPolicy {
    private let hosts: Set<String>
    private let names: Set<String>
    /// Where the page is, as its links say it.
    package let url: String

    /// - Parameter address: An address of loopback in numbers.
    package init(address: String, port: Int) {
        let host = address.contains(":") ? "[\(address)]" : address
        // A browser leaves the default port out.
        hosts = Set(["\(host):\(port)"] + (port == 80 ? [host] : []))
        names = Set(["localhost:\(port)"] + (port == 80 ? ["localhost"] : []))
        url = "http://\(host):\(port)"
    }

    package func knows(_ host: RequestAuthority, on connection: RequestConnection) -> Bool { hosts.contains(host.text) }

    /// Whether the page is asked for as `localhost`. That name has two addresses, and at the one that is not listened on another account may
    /// hold the same port: its page would be of the same origin. So that name leads to the address, and nothing is served by it.
    package func isByName(_ claims: RequestClaims) -> Bool {
        guard case .one(let host) = claims.host else { return false }
        return names.contains(host.lowercased())
    }
}
