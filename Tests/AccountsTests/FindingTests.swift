import Accounts
import Kernel
import KernelTesting
import Sealing
import Testing

@testable import AccountsHub

@Suite("Finding people by name", .timeLimit(.minutes(1)))
struct FindingTests {
    private static func find(
        _ name: String,
        by session: AccountSession,
        at rig: AccountsRig,
        from address: String = AccountsRig.address
    ) async throws -> AccountsRig.Reply {
        try await rig.post(.find, FindAccountRequest(name: name), token: session.accessToken, from: address)
    }

    @Test("a whole name finds its person, capitals or not; a part of one, and who is suspended or gone, finds nobody")
    func exact() async throws {
        let rig = try AccountsRig()
        let (ada, bob) = (try await rig.register("ada"), try await rig.register("bob"))
        let change = ProfileRequest(nickname: "Bob B.")
        #expect(try await rig.post(.profile, change, token: bob.accessToken).status == 200)
        let found: FoundAccount = try await Self.find("BoB", by: ada, at: rig).value()
        #expect(found == FoundAccount(uid: 2, userID: "tb_2", name: "bob", nickname: "Bob B.", avatar: ""))
        for name in ["bo", "bobb", "carla"] {
            let reply = try await Self.find(name, by: ada, at: rig)
            #expect(reply.code == .userNotFound && reply.status == 404)
        }
        for name in ["", "7", "tb_2", "b%"] {
            #expect(try await Self.find(name, by: ada, at: rig).code == .badArguments)
        }
        try await rig.accounts.suspend(try #require(UserID(2)))
        #expect(try await Self.find("bob", by: ada, at: rig).code == .userNotFound)
        try await rig.accounts.resume(try #require(UserID(2)))
        try await rig.accounts.delete(try await rig.accounts.find("bob"))
        #expect(try await Self.find("bob", by: ada, at: rig).code == .userNotFound)
    }

    @Test("it takes a session, and a hub that does not tell names says so")
    func refused() async throws {
        let rig = try AccountsRig(isFindable: false)
        let ada = try await rig.register("ada")
        #expect(try await rig.post(.find, FindAccountRequest(name: "ada")).code == .tokenNotExisting)
        let reply = try await Self.find("ada", by: ada, at: rig)
        #expect(reply.code == .noPermission)
        #expect(reply.envelope.errDlt.hasPrefix(AccountsError.findingOff.description))
    }

    @Test("names cannot be tried through: a person waits after 30, an address with many accounts after 60")
    func enumeration() async throws {
        let rig = try AccountsRig()
        let people = [try await rig.register("ada"), try await rig.register("bob"), try await rig.register("eve")]
        for number in 0..<30 {
            #expect(try await Self.find("x\(number)", by: people[0], at: rig).code == .userNotFound)
        }
        let refused = try await Self.find("bob", by: people[0], at: rig)
        #expect(refused.code == .tooManyRequests && refused.fields["Retry-After"] == "20")
        // Another address does not help the same person.
        #expect(try await Self.find("bob", by: people[0], at: rig, from: "192.0.2.8").code == .tooManyRequests)
        for number in 0..<30 {
            #expect(try await Self.find("y\(number)", by: people[1], at: rig).code == .userNotFound)
        }
        #expect(try await Self.find("ada", by: people[2], at: rig).code == .tooManyRequests)
        #expect(try await Self.find("ada", by: people[2], at: rig, from: "192.0.2.8").status == 200)
        rig.clock.advance(by: .seconds(20))
        #expect(try await Self.find("bob", by: people[0], at: rig).status == 200)
    }

    @Test("a password is changed by the one before, and other devices are signed out by it")
    func password() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("ada")
        let other: AccountSession = try await rig.login("ada").value()
        let wrong = PasswordRequest(old: "not the password", new: "another long password")
        #expect(try await rig.post(.password, wrong, token: session.accessToken).code == .noPermission)
        let change = PasswordRequest(old: AccountsRig.password, new: "another long password")
        #expect(try await rig.post(.password, change, token: session.accessToken).status == 200)
        #expect(await rig.refusal(of: other.accessToken) == .sessionOver)
        #expect(await rig.refusal(of: session.accessToken) == nil)
        #expect(try await rig.login("ada").code == .noPermission)
        #expect(try await rig.login("ada", password: "another long password").status == 200)
    }
}
