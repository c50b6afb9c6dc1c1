import Accounts
import Chat
import Testing

@Suite struct PersonLinkTests {
    @Test("What a link says is read again, whatever the name holds")
    func read() throws {
        let ada = try #require(UserID(7))
        for name in ["", "Ada", "阿达 & co?=#", "a\"b<c>%20"] {
            for chain in [nil, [UInt8](repeating: 0xA5, count: 32)] {
                let link = PersonLink(hub: "wss://hub.example:9001", user: ada, name: name, chain: chain)
                #expect(PersonLink(text: link.text) == link)
                #expect(link.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            }
        }
    }

    @Test(
        "What is no link of a person is none",
        arguments: [
            "", "tb_7", "tandem-account://chat", "tandem-account://chat?hub=wss%3A%2F%2Fhub.example&u=7",
            "tandem-account://chat?hub=http%3A%2F%2Fhub.example&u=tb_7",
            "tandem-account://chat?hub=wss%3A%2F%2Fada%40hub.example&u=tb_7",
            "tandem-account://join?hub=wss%3A%2F%2Fhub.example&u=tb_7",
            "tandem-account://chat/x?hub=wss%3A%2F%2Fhub.example&u=tb_7",
            "tandem-account://chat?hub=wss%3A%2F%2Fhub.example&u=tb_7&k=AAAA",
        ]
    )
    func foreign(_ text: String) { #expect(PersonLink(text: text) == nil) }
}
