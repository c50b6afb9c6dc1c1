/// Which proxy a server is asked through: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the environment, as curl and Go read them.
public struct WebProxySettings: Hashable, Sendable {
    /// No proxies.
    public static let none = WebProxySettings()

    private var secure: WebProxy?
    private var plain: WebProxy?
    private var exceptions: [ProxyException] = []

    private init() {}

    /// - Parameter environment: A name in lower case counts before the same one in upper case.
    /// - Throws: ``WebClientError/malformedProxy(variable:)``.
    public init(environment: [String: String]) throws(WebClientError) {
        secure = try Self.proxy("https_proxy", "HTTPS_PROXY", of: environment)
        // A web server's program finds the field `Proxy` of a stranger's request in HTTP_PROXY.
        plain = try Self.proxy("http_proxy", environment["REQUEST_METHOD"] == nil ? "HTTP_PROXY" : nil, of: environment)
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        exceptions = list.split { $0 == "," || $0.isWhitespace }.compactMap { ProxyException(String($0)) }
    }

    /// Nil for a server that is asked directly; so is this device itself, whatever is set.
    public func proxy(for url: WebURL) -> WebProxy? {
        guard let proxy = url.isSecure ? secure : plain, !Self.isThisDevice(url.host),
            !exceptions.contains(where: { $0.covers(url) })
        else { return nil }
        return proxy
    }

    private static func isThisDevice(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        guard let bytes = WebAddressBytes.parse(host) else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    private static func proxy(
        _ names: String?...,
        of environment: [String: String]
    ) throws(WebClientError) -> WebProxy? {
        for case let name? in names {
            guard let value = environment[name], !value.isEmpty else { continue }
            guard let proxy = WebProxy(value) else { throw .malformedProxy(variable: name) }
            return proxy
        }
        return nil
    }
}
