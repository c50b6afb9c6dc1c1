import Foundation
import Testing

@testable import TandemDesktop

@Suite("The page for phones that a hub announces")
struct PhonePageAddressTests {
    @Test(
        "an address is believed that is at the hub itself, and encrypted or on this machine",
        arguments: [
            ("https://hub.example.net:9001/phone/", "wss://hub.example.net:9001", true),
            ("https://hub.example.net/phone/", "wss://HUB.example.net:443/", true),
            ("https://hub.example.net:443/phone/", "wss://hub.example.net", true),
            ("https://[2001:db8::1]:9001/phone/", "wss://[2001:db8::1]:9001/", true),
            ("http://127.0.0.1:9001/phone/", "ws://127.0.0.1:9001", true),
            ("http://[::1]:9001/phone/", "ws://[::1]:9001", true),
            ("https://other.example.net:9001/phone/", "wss://hub.example.net:9001", false),
            ("https://hub.example.net/phone/", "wss://hub.example.net:9001", false),
            ("https://hub.example.net:9001/phone/#AQ", "wss://hub.example.net:9001", false),
            ("https://hub.example.net:9001/phone/?x=/phone/", "wss://hub.example.net:9001", false),
            ("https://hub.example.net:9001/other/phone/", "wss://hub.example.net:9001", false),
            ("https://hub.example.net@evil.example/phone/", "wss://hub.example.net", false),
            ("http://hub.example.net:9001/phone/", "wss://hub.example.net:9001", false),
            ("http://192.168.7.20:9001/phone/", "ws://192.168.7.20:9001", false),
            ("https://192.168.7.20:9001/phone/", "ws://192.168.7.20:9001", false),
            ("javascript://hub.example.net/phone/", "wss://hub.example.net", false),
            ("/phone/", "wss://hub.example.net", false), ("", "wss://hub.example.net", false),
        ]
    )
    func addresses(announced: String, hub: String, isBelieved: Bool) throws {
        let hub = try #require(URL(string: hub))
        #expect(PhonePageAddress(announced, of: hub)?.url.absoluteString == (isBelieved ? announced : nil))
    }
}
