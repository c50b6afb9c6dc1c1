import Kernel
import Testing
import WebClient

struct WebURLTests {
    @Test(
        "An address without a host, with another scheme, a password or a character that HTTP does not carry is malformed",
        arguments: [
            "", "example.com", "ftp://example.com/", "http://", "http:///path", "http://user:pw@example.com/",
            "http://example.com:0/", "http://example.com:65536/", "http://example.com/a b",
            "http://example.com/\r\nX: y",
            "http://example.com/\u{E9}", "http://" + String(repeating: "a", count: 9000),
        ]
    )
    func malformed(text: String) {
        #expect(throws: WebClientError.self) { try WebURL(text) }
    }

    @Test("The sentence about a malformed address does not show its password")
    func password() {
        let error = #expect(throws: WebClientError.self) { try WebURL("http://ann:secret@example.com/") }
        #expect(error.map { "\($0)".contains("secret") } == false)
    }

    @Test("An address has the port of its scheme, a host in lower case and no fragment")
    func parts() throws {
        let url = try WebURL("HTTPS://Example.COM/Path?q=1#part")
        #expect(url.isSecure)
        #expect(url.host == "example.com")
        #expect(url.port == 443)
        #expect(url.text.hasSuffix("/Path?q=1"))
        #expect("\(url)" == "https://example.com:443")
        let address = try WebURL("http://[::1]:8080/")
        #expect(address.host == "::1")
    }
}
