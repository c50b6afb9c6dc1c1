import Principals
import Testing

@Suite("Principals", .timeLimit(.minutes(1)))
struct PrincipalTests {
    @Test("the id of each kind reads back as itself")
    func ids() throws {
        let ada = try #require(AccountID("ada"))
        let ids: [(Principal, String)] = [
            (.device("did:key:z6Mk"), "did:key:z6Mk"), (.tokenHolder("0a1b2c3d4e"), "bridge:0a1b2c3d4e"),
            (.tokenHolder("developer"), "bridge:developer"),
            (.account(ada, device: "did:key:z6Mk/1"), "account:ada/did:key:z6Mk/1"), (.admin("Ada"), "admin:Ada"),
            (.owner, "owner"),
        ]
        for (principal, id) in ids {
            #expect(principal.id == id)
            #expect(Principal(id: id) == principal)
        }
    }

    @Test("a stranger's claim is its id, and no other principal's")
    func strangers() {
        for claim in ["owner", "did:key:z6Mk", "bridge:developer", ""] {
            let stranger = Principal.stranger(claiming: claim)
            #expect(stranger.id == claim)
            #expect(Principal(id: claim) != stranger)
        }
    }

    @Test(
        "what is no id is none",
        arguments: [
            "", "Owner", "owner ", "did:", "bridge:", "admin:", "account:", "account:ada", "account:ada/",
            "account:/did:key:z6Mk", "account:Ada/did:key:z6Mk", "studio",
        ]
    )
    func none(text: String) {
        #expect(Principal(id: text) == nil)
    }

    @Test("an account's name is short and written in one way")
    func accounts() {
        #expect(AccountID("a-0_9.z")?.description == "a-0_9.z")
        #expect(AccountID(String(repeating: "a", count: 64)) != nil)
        for text in ["", "A", "a b", "a/b", "ä", String(repeating: "a", count: 65)] { #expect(AccountID(text) == nil) }
    }
}
