import Testing

@testable import Transport

@Suite("The authority of a request", .timeLimit(.minutes(4)))
struct RequestAuthorityTests {
    @Test(
        "host and port, as programs write them",
        arguments: [
            ("studio.local:9001", "studio.local", 9001), ("STUDIO.lan", "studio.lan", nil),
            ("studio.", "studio", nil), ("studio.:80", "studio", 80), ("127.0.0.1:65535", "127.0.0.1", 65535),
            ("[2001:DB8::5]:9001", "2001:db8::5", 9001), ("[::1]", "::1", nil), ("::1", "::1", nil),
            ("fe80::1%25en0", "fe80::1%25en0", nil), ("studio:", "studio", nil), ("studio:0", "studio", 0),
        ] as [(String, String, Int?)]
    )
    func understood(_ text: String, _ host: String, _ port: Int?) throws {
        let authority = try #require(RequestAuthority(text))
        #expect(authority.host == host)
        #expect(authority.port == port)
    }

    @Test(
        "what is no authority is known nowhere",
        arguments: [
            "", ".", ":9001", "a@x.local", "x/.local", "x?.local", "x#.local", "x\\.local", "a b", "a\tb", "büro.local",
            "[::1]junk", "[::1", "[localhost]", "[]", "x]", "a[b", "127.0.0.1:+9001", "127.0.0.1:-1", "127.0.0.1:junk",
            "127.0.0.1:65536", "127.0.0.1:9 1", "127.0.0.1:٣", String(repeating: "a", count: 262),
        ]
    )
    func refused(_ text: String) {
        #expect(RequestAuthority(text) == nil)
    }
}
