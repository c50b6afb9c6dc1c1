import NetworkWebClient
import Testing
import WebClient

@Suite(.timeLimit(.minutes(1)))
struct ProxyTests {
    @Test("A server is asked through the proxy of its scheme, with the proxy's password")
    func through() async throws {
        let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        try await RawServer.run([.text("HTTP/1.1 200 Connection established\r\n\r\n")], [.text(fine)]) { proxy in
            let settings = try WebProxySettings(environment: ["http_proxy": "http://ann:secret@127.0.0.1:\(proxy.port)"]
            )
            try await withClient(NetworkWebClientConfiguration(proxies: settings)) { client in
                let request = WebRequest(.get, try WebURL("http://server.test:8080/path"))
                #expect(try await client.collect(request).body == Array("ok".utf8))
                let connect = try #require(proxy.requests.first)
                #expect(connect.hasPrefix("CONNECT server.test:8080 HTTP/1.1\r\n"))
                // "ann:secret" in Base64.
                #expect(
                    connect.lowercased().contains("proxy-authorization: basic ") && connect.contains("YW5uOnNlY3JldA==")
                )
                #expect(proxy.requests.last?.hasPrefix("GET /path HTTP/1.1\r\n") == true)
                #expect(proxy.requests.last?.contains("YW5uOnNlY3JldA==") == false)
            }
        }
    }

    @Test("A proxy that wants a password, refuses or is away is told as the proxy's, without its password")
    func refused() async throws {
        let cases: [(String, @Sendable (String) -> WebClientError)] = [
            ("407 Proxy Authentication Required", { .proxyNeedsPassword(proxy: $0) }),
            ("403 Forbidden", { .proxyRefused(proxy: $0, origin: "http://server.test:80") }),
        ]
        var free = 0
        for (status, expected) in cases {
            try await RawServer.run([.text("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")]) { proxy in
                free = proxy.port
                let settings = try WebProxySettings(environment: ["HTTP_PROXY": "ann:secret@127.0.0.1:\(proxy.port)"])
                try await withClient(NetworkWebClientConfiguration(proxies: settings)) { client in
                    let error = await failure(of: WebRequest(.get, try WebURL("http://server.test/")), at: client)
                    #expect(error == expected("127.0.0.1:\(proxy.port)"))
                    #expect(error.map { "\($0)".contains("secret") } == false)
                }
            }
        }
        let settings = try WebProxySettings(environment: ["HTTP_PROXY": "127.0.0.1:\(free)"])
        try await withClient(NetworkWebClientConfiguration(proxies: settings)) { client in
            let error = await failure(of: WebRequest(.get, try WebURL("http://server.test/")), at: client)
            #expect(error == .proxyUnreachable(proxy: "127.0.0.1:\(free)"))
        }
    }

    @Test(
        "NO_PROXY excepts names with what is below them, addresses, networks and ports",
        arguments: [
            ("example.com", "https://example.com/", true), ("example.com", "https://a.example.com/", true),
            ("example.com", "https://notexample.com/", false), (".example.com", "https://a.example.com/", true),
            ("*.example.com", "https://a.example.com/", true), ("a.b, EXAMPLE.com", "https://example.com/", true),
            ("a.b example.com", "https://example.com/", true), ("*", "https://example.com/", true),
            ("example.com:8443", "https://example.com/", false),
            ("example.com:8443", "https://example.com:8443/", true),
            ("10.0.0.0/8", "https://10.1.2.3/", true), ("10.0.0.0/8", "https://11.1.2.3/", false),
            ("192.168.1.7", "https://192.168.1.7/", true), ("fd00::/8", "https://[fd00::1]/", true),
            ("[fd00::1]", "https://[fd00::1]/", true), ("[fd00::1]:443", "https://[fd00::1]:444/", false),
            ("10.0.0.0/99", "https://10.1.2.3/", false), ("", "https://example.com/", false),
            // This device itself is never asked through a proxy.
            ("", "https://localhost/", true), ("", "https://127.0.0.2/", true), ("", "https://[::1]/", true),
        ]
    )
    func exceptions(list: String, url: String, isDirect: Bool) throws {
        let settings = try WebProxySettings(environment: ["HTTPS_PROXY": "proxy.example:3128", "NO_PROXY": list])
        let proxy = settings.proxy(for: try WebURL(url))
        #expect((proxy == nil) == isDirect)
    }

    @Test("Variables in lower case count first, and a web server's program does not believe HTTP_PROXY")
    func variables() throws {
        let http = try WebURL("http://example.com/")
        let both = try WebProxySettings(environment: ["HTTP_PROXY": "a:1", "http_proxy": "b:2"])
        #expect(both.proxy(for: http).map { "\($0)" } == "b:2")
        let cgi = try WebProxySettings(environment: ["HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET"])
        #expect(cgi.proxy(for: http) == nil)
        let https = try WebURL("https://example.com/")
        #expect(both.proxy(for: https) == nil)
    }

    @Test(
        "A value that names no proxy is told by its variable",
        arguments: ["socks5://a:1", "http://", "http://a:99999", "a b"]
    )
    func malformed(value: String) {
        #expect(throws: WebClientError.malformedProxy(variable: "HTTPS_PROXY")) {
            try WebProxySettings(environment: ["HTTPS_PROXY": value])
        }
    }
}
